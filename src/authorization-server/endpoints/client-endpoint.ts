import { type FormPairs, readParameters } from '../../http/form.js'
import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
  splitUrl,
} from '../../http/message.js'
import type { Route } from '../../http/routes.js'
import { challenge } from '../../oauth/bearer.js'
import { CREDENTIAL_PARAMETERS } from '../../oauth/client-auth.js'
import type { OAuthErrorCode } from '../../oauth/error-codes.js'
import { errorParameters, isRefusal, OAuthError, type OAuthErrorDetail } from '../../oauth/oauth-error.js'
import type { Publish } from '../events.js'
import { FormTooLarge, readForm, readFormBody, refuseRepeated } from '../parameters/form-body.js'
import { ClientAuthenticationError } from './client-authentication.js'

/** Answers may not be cached (RFC 6749 §5.1). */
export const NOT_STORED: HeaderList = [
  ['cache-control', 'no-store'],
  ['pragma', 'no-cache'],
]

/** A request to a client endpoint: its context, and what became known of it before it was refused. */
export interface Call {
  readonly publish: Publish
  clientId?: string
  grantType?: string
}

/** An endpoint that clients call with a form. `Code`: the errors that it may answer. */
export interface ClientEndpoint<Code extends OAuthErrorCode> {
  readonly path: string
  /** The name of the endpoint, such as `the token endpoint`. */
  readonly name: string
  /** The rule that says how it is called. */
  readonly rule: string
  /** The errors that it may answer. Every other error is a failure of the server. */
  readonly errors: readonly Code[]
  /** @throws OAuthError with one of `errors` */
  answer(http: HttpRequest, call: Call): Promise<HttpResponse>
  /** Publishes a refusal. */
  refused(error: OAuthError<Code>, status: number, call: Call): void
  /** Headers of every answer to a POST, errors included. */
  readonly headers?: () => HeaderList
  /** Answers a failed authentication with 401 also without an Authorization header (RFC 7662 §2.3). */
  readonly always401?: boolean
}

/**
 * `error` of a 429. The error codes of RFC 6749 §5.2 are a closed list without one for this; `temporarily_unavailable`
 * exists because a redirect cannot carry a status (§4.1.2.1), which this answer can. The status says it all.
 */
const TOO_MANY = 'invalid_request'

/** An attempt beyond a rate limit: answered 429 with Retry-After (RFC 6585 §4). */
export class TooManyAttempts extends OAuthError<typeof TOO_MANY> {
  override name = 'TooManyAttempts'
  constructor(
    detail: OAuthErrorDetail,
    readonly retryAfterSeconds: number,
  ) {
    super(TOO_MANY, detail)
  }
}

/** The route of an endpoint that is used with POST and answers errors in JSON, whatever comes. */
export function clientEndpoint<const Code extends OAuthErrorCode>(endpoint: ClientEndpoint<Code>): Route {
  const { path, name, rule, errors, answer, refused, headers = () => [] } = endpoint
  return {
    path,
    methods: {
      async POST(http, { publish }) {
        const call: Call = { publish }
        const answered = async (): Promise<HttpResponse> => {
          try {
            return await answer(http, call)
          } catch (error) {
            if (!isRefusal(error, errors)) throw error
            const status = statusOf(error, endpoint.always401 ?? false)
            refused(error, status, call)
            return jsonError(error, status)
          }
        }
        const response = await answered()
        return { ...response, headers: [...response.headers, ...headers()] }
      },
    },
    otherMethod: (_http, allow) => {
      const error = new OAuthError('invalid_request', { description: `${name} is used with POST`, rule })
      return jsonError(error, 405, [['allow', allow]])
    },
  }
}

function statusOf(error: OAuthError, always401: boolean): number {
  if (error instanceof FormTooLarge) return 413
  if (error instanceof TooManyAttempts) return 429
  const authenticationFailed = error instanceof ClientAuthenticationError && error.code === 'invalid_client'
  return authenticationFailed && (error.usedHeader || always401) ? 401 : 400
}

/** An error in the form of the token endpoint (RFC 6749 §5.2). */
export function jsonError(error: OAuthError, status: number, headers: HeaderList = []): HttpResponse {
  const realm: [string, string][] = [
    ['realm', 'oauth-lab'],
    ['charset', 'UTF-8'],
  ]
  const challenged: HeaderList = status === 401 ? [['www-authenticate', challenge('Basic', realm)]] : []
  const retry: HeaderList =
    error instanceof TooManyAttempts ? [['retry-after', String(error.retryAfterSeconds)]] : []
  return jsonResponse(status, Object.fromEntries(errorParameters(error)), [
    ...NOT_STORED,
    ...challenged,
    ...retry,
    ...headers,
  ])
}

/**
 * Reads the form of a client's request.
 * @throws OAuthError `invalid_request` for another body, or credentials in the query
 */
export function readClientForm(http: HttpRequest): FormPairs {
  refuseCredentialsInQuery(http)
  return readFormBody(http)
}

/**
 * The values of the named parameters, each sent once at most.
 * @throws OAuthError `invalid_request`
 */
export function readOnce<Name extends string>(
  pairs: FormPairs,
  names: readonly Name[],
): { readonly [N in Name]?: string } {
  const { values, repeated } = readParameters(pairs, names)
  refuseRepeated(repeated, 'RFC 6749 §3.2')
  return values
}

/** The values of a parameter that may be repeated, in order; empty ones count as missing. */
export function readAll(pairs: FormPairs, name: string): readonly string[] {
  return pairs.filter(([each, value]) => each === name && value !== '').map(([, value]) => value)
}

/** The URL is no place for credentials: it ends up in logs (RFC 6749 §2.3.1). */
function refuseCredentialsInQuery(http: HttpRequest): void {
  const pairs = readForm(splitUrl(http.url).query, 'the query')
  const found = pairs.find(([name]) => CREDENTIAL_PARAMETERS.some(each => each === name))
  if (found === undefined) return
  throw new OAuthError('invalid_request', {
    description: `${found[0]} is in the query; credentials belong in the header or the body`,
    rule: 'RFC 6749 §2.3.1',
  })
}
