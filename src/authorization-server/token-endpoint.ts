import { readParameters } from '../http/form.js'
import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  headerValues,
  jsonResponse,
  splitUrl,
} from '../http/message.js'
import type { Route } from '../http/routes.js'
import { challenge } from '../oauth/bearer.js'
import { CREDENTIAL_PARAMETERS } from '../oauth/client-auth.js'
import { errorParameters, OAuthError } from '../oauth/oauth-error.js'
import { authenticateClient, ClientAuthenticationError } from './client-authentication.js'
import { bounded, type Publish, refusal } from './events.js'
import { FormTooLarge, readForm, readFormBody, refuseRepeated } from './form-body.js'
import type { Grant } from './grants/grant.js'
import type { Registry } from './registry.js'
import type { IssueTokens } from './token-issuer.js'

/** What the token endpoint works with. */
export interface TokenEndpointParts {
  readonly registry: Registry
  readonly grants: ReadonlyMap<string, Grant>
  readonly issueTokens: IssueTokens
  readonly publish: Publish
}

/** RFC 6749 §5.1 */
const notStored: HeaderList = [
  ['cache-control', 'no-store'],
  ['pragma', 'no-cache'],
]

/** Parameters of every token request. */
const COMMON_PARAMETERS = ['grant_type', 'client_id', 'client_secret', 'client_password'] as const

/** What is known of a request when it is refused. */
interface Progress {
  grantType?: string
  clientId?: string
}

/** `/token` (RFC 6749 §3.2): always JSON, whatever comes. */
export function tokenEndpoint(parts: TokenEndpointParts): Route {
  const { registry, grants, issueTokens, publish } = parts

  async function answer(http: HttpRequest, progress: Progress): Promise<HttpResponse> {
    refuseCredentialsInQuery(http)
    const pairs = readFormBody(http)
    const { values: common, repeated } = readParameters(pairs, COMMON_PARAMETERS)
    refuseRepeated(repeated, 'RFC 6749 §3.2')
    const grant = findGrant(common.grant_type, grants)
    progress.grantType = grant.grantType
    const own = readParameters(pairs, grant.parameters)
    refuseRepeated(own.repeated, 'RFC 6749 §3.2')
    const client = authenticateClient(headerValues(http, 'authorization'), common, registry)
    progress.clientId = client.client_id
    if (!client.grant_types.includes(grant.grantType)) {
      throw new OAuthError('unauthorized_client', {
        description: `this client is not registered for ${grant.grantType}`,
        rule: 'RFC 6749 §5.2',
      })
    }
    const entitlement = await grant.redeem(client, own.values)
    return jsonResponse(200, await issueTokens(client, entitlement, grant.grantType), notStored)
  }

  function refuse(error: OAuthError, { grantType, clientId }: Progress): HttpResponse {
    const status = statusOf(error)
    publish({
      type: 'token.refused',
      ...(clientId === undefined ? {} : { client_id: clientId }),
      ...(grantType === undefined ? {} : { grant_type: grantType }),
      status,
      ...refusal(error),
    })
    return tokenError(error, status)
  }

  return {
    path: '/token',
    methods: {
      async POST(http) {
        const progress: Progress = {}
        try {
          return await answer(http, progress)
        } catch (error) {
          if (!(error instanceof OAuthError)) throw error
          return refuse(error, progress)
        }
      },
    },
    otherMethod: (_http, allow) => {
      const error = new OAuthError('invalid_request', {
        description: 'the token endpoint is used with POST',
        rule: 'RFC 6749 §3.2',
      })
      return tokenError(error, 405, [['allow', allow]])
    },
  }
}

function statusOf(error: OAuthError): number {
  if (error instanceof FormTooLarge) return 413
  const headerFailed =
    error instanceof ClientAuthenticationError && error.usedHeader && error.code === 'invalid_client'
  return headerFailed ? 401 : 400
}

/** An error in the form of the token endpoint (RFC 6749 §5.2). */
export function tokenError(error: OAuthError, status: number, headers: HeaderList = []): HttpResponse {
  const challenged: HeaderList =
    status === 401
      ? [
          [
            'www-authenticate',
            challenge('Basic', [
              ['realm', 'oauth-lab'],
              ['charset', 'UTF-8'],
            ]),
          ],
        ]
      : []
  return jsonResponse(status, Object.fromEntries(errorParameters(error)), [
    ...notStored,
    ...challenged,
    ...headers,
  ])
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

function findGrant(grantType: string | undefined, grants: ReadonlyMap<string, Grant>): Grant {
  const rule = 'RFC 6749 §5.2'
  if (grantType === undefined) {
    throw new OAuthError('invalid_request', { description: 'grant_type is missing', rule })
  }
  const grant = grants.get(grantType)
  if (grant) return grant
  throw new OAuthError('unsupported_grant_type', {
    description: `grant_type is not supported; this server knows: ${[...grants.keys()].join(', ')}`,
    rule,
    evidence: bounded(grantType),
  })
}
