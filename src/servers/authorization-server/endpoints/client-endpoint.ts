import { ownerOf } from '../../../protocol/bounded-maps.js'
import { type FormPairs, readParameters } from '../../../protocol/http/form.js'
import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
  splitUrl,
} from '../../../protocol/http/message.js'
import { sourceOf } from '../../../protocol/http/network.js'
import type { Route } from '../../../protocol/http/site.js'
import { challenge } from '../../../protocol/oauth/bearer.js'
import { type Client, isConfidential } from '../../../protocol/oauth/client.js'
import { CREDENTIAL_PARAMETERS } from '../../../protocol/oauth/client-auth.js'
import {
  errorParameters,
  isRefusal,
  OAuthError,
  type OAuthErrorCode,
  type OAuthErrorDetail,
} from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { defined } from '../../../protocol/values.js'
import { type Publish, refusal } from '../events.js'
import { failurePage, retryAfter } from '../pages/page.js'
import { FormTooLarge, readForm, readFormBody, refuseRepeated } from '../parameters/form-body.js'
import { type RegistrationHelp, registrationFacts } from './authorization/registration-help.js'

/** Headers against caching (RFC 6749 §5.1). */
export const NOT_STORED: HeaderList = [
  ['cache-control', 'no-store'],
  ['pragma', 'no-cache'],
]

/**
 * Returns the owner of what a client leaves in a store. Anyone can name a public client, so each network that does is an
 * owner of its own.
 */
export function ownerAt(client: Client, { remoteAddress }: HttpRequest): string {
  return isConfidential(client) ? client.client_id : ownerOf(client.client_id, sourceOf(remoteAddress))
}

/** A request to a client endpoint, with what is known of it. */
export interface Call {
  readonly publish: Publish
  clientId?: string
  grantType?: string
  /** Names of parameters that have no effect. */
  ignored?: readonly string[] | undefined
  /** The authorization code of a token request, cut in the middle. */
  code?: string
  /** For a redirect_uri that is not registered. */
  help?: RegistrationHelp
}

/** The events of refused requests to client endpoints. */
type RefusedEvent =
  | 'token.refused'
  | 'push.refused'
  | 'revocation.refused'
  | 'introspection.refused'
  | 'device_authorization.refused'
  | 'ciba.refused'

/** An endpoint that clients call with a form. `Code`: the errors that the endpoint may answer. */
interface ClientEndpoint<Code extends OAuthErrorCode> {
  readonly path: string
  /** The name in messages, such as `the token endpoint`. */
  readonly name: string
  /** The RFC section that defines how to call the endpoint. */
  readonly rule: Citation
  /** The errors that the endpoint may answer. Every other error is an internal error. */
  readonly errors: readonly Code[]
  /** @throws OAuthError with one of `errors` */
  answer(http: HttpRequest, call: Call): Promise<HttpResponse>
  readonly refused: RefusedEvent
  /** Headers of every response to a POST, errors included. */
  readonly headers?: () => HeaderList
  /** True when a failed authentication is 401 even without an Authorization header (RFC 7662 §2.3, CIBA Core §13). */
  readonly always401?: boolean
}

/** Makes the route of an endpoint that takes POST and answers every error in JSON. */
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
            const { clientId: client_id, grantType: grant_type, code, help, ignored } = call
            const facts = registrationFacts(help)
            const about = { client_id, grant_type, code, ignored }
            publish(defined({ type: refused, ...about, status, ...refusal(error), ...facts }))
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
  if (error.code === 'temporarily_unavailable') return 503
  const authenticationFailed = error instanceof ClientAuthenticationError && error.code === 'invalid_client'
  return authenticationFailed && (error.usedHeader || always401) ? 401 : 400
}

/** Pause that a full server asks for, in seconds. */
const FULL_PAUSE = 60

/** Returns an error response in the form of the token endpoint (RFC 6749 §5.2). */
export function jsonError(error: OAuthError, status: number, headers: HeaderList = []): HttpResponse {
  const realm: [string, string][] = [
    ['realm', 'oauth-lab'],
    ['charset', 'UTF-8'],
  ]
  const challenged: HeaderList = status === 401 ? [['www-authenticate', challenge('Basic', realm)]] : []
  const isNamed = headers.some(([name]) => name === 'retry-after')
  const pause = status === 503 && !isNamed ? FULL_PAUSE : undefined
  const seconds = error instanceof TooManyAttempts ? error.retryAfterSeconds : pause
  return jsonResponse(status, Object.fromEntries(errorParameters(error)), [
    ...NOT_STORED,
    ...challenged,
    ...retryAfter(seconds),
    ...headers,
  ])
}

/**
 * Reads the form of a client's request.
 * @throws OAuthError `invalid_request` for a body that is not a form, and for credentials in the query
 */
export function readClientForm(http: HttpRequest): FormPairs {
  refuseCredentialsInQuery(http)
  return readFormBody(http)
}

/**
 * Reads parameters that may be sent once at most.
 * @throws OAuthError `invalid_request` when one is repeated
 */
export function readOnce<Name extends string>(
  pairs: FormPairs,
  names: readonly Name[],
): { readonly [N in Name]?: string } {
  const { values, repeated } = readParameters(pairs, names)
  refuseRepeated(repeated, 'RFC 6749 §3.2')
  return values
}

/** Reads the values of a parameter that may be repeated, in order. Empty values count as missing. */
export function readAll(pairs: FormPairs, name: string): readonly string[] {
  return pairs.filter(([each, value]) => each === name && value !== '').map(([, value]) => value)
}

/** Refuses credentials in the query, because URLs end up in logs (RFC 6749 §2.3.1). */
function refuseCredentialsInQuery(http: HttpRequest): void {
  const pairs = readForm(splitUrl(http.url).query, 'the query')
  const credential = pairs.find(([name]) => CREDENTIAL_PARAMETERS.some(each => each === name))
  if (credential === undefined) return
  throw new OAuthError('invalid_request', {
    description: `${credential[0]} is in the query; credentials belong in the header or the body`,
    rule: 'RFC 6749 §2.3.1',
  })
}

/**
 * `error` of a 429. RFC 6749 §5.2 has no code for a rate limit. `temporarily_unavailable` is a code of §4.1.2.1, for
 * redirects, which carry no status. The status of this response says enough.
 */
const TOO_MANY = 'invalid_request'

/** The error for an attempt beyond a rate limit, answered 429 with Retry-After (RFC 6585 §4). */
export class TooManyAttempts extends OAuthError<typeof TOO_MANY> {
  override name = 'TooManyAttempts'
  constructor(
    detail: OAuthErrorDetail,
    readonly retryAfterSeconds: number,
  ) {
    super(TOO_MANY, detail)
  }
}

/** Paths whose responses are pages for people. */
const pages = new Set(['/authorization', '/end-session', '/device'])

/** Returns the response to an internal error: a page for people, JSON for programs. */
export function internalFailure(path: string): HttpResponse {
  if (pages.has(path)) return failurePage()
  const error = new OAuthError('server_error', {
    description: 'the server failed to answer this request',
    rule: 'RFC 6749 §4.1.2.1',
  })
  return jsonError(error, 500)
}

/** The error of a failed client authentication. It is answered 401 when the Authorization header was used (RFC 6749 §5.2). */
export class ClientAuthenticationError extends OAuthError<'invalid_request' | 'invalid_client'> {
  override name = 'ClientAuthenticationError'
  constructor(
    code: 'invalid_request' | 'invalid_client',
    detail: OAuthErrorDetail,
    readonly usedHeader: boolean,
  ) {
    super(code, detail)
  }
}
