import { type HttpRequest, type HttpResponse, headerValues, jsonResponse } from '../http/message.js'
import type { Route } from '../http/routes.js'
import { challenge, parseBearer } from '../oauth/bearer.js'
import { errorParameters, OAuthError } from '../oauth/oauth-error.js'
import { TokenFormatError } from '../tokens/decode.js'
import { verificationKeys } from '../tokens/keyring.js'
import { verifyJwt } from '../tokens/verify.js'
import { type Publish, refusal } from './events.js'
import type { IssuedTokens } from './issued-tokens.js'
import type { Registry } from './registry.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings, User } from './settings.js'

/** What the endpoint works with. */
export interface UserinfoParts {
  readonly settings: Pick<AuthorizationServerSettings, 'issuer'>
  readonly ports: Pick<AuthorizationServerPorts, 'now' | 'keyring'>
  readonly registry: Registry
  readonly issuedTokens: IssuedTokens
  readonly publish: Publish
}

/** Claims that a scope gives out (OpenID Connect Core §5.4). */
const claimsOfScope: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

/** Names of the claims that the users of this server have and that its scopes give out. */
export function givenClaims(users: readonly User[], scopes: readonly string[]): readonly string[] {
  const had = new Set(users.flatMap(user => Object.keys(user.claims)))
  return scopes.flatMap(scope => (claimsOfScope[scope] ?? []).filter(name => had.has(name)))
}

function claimsFor(user: User, scope: readonly string[]): Record<string, unknown> {
  const names = givenClaims([user], scope)
  return { sub: user.username, ...Object.fromEntries(names.map(name => [name, user.claims[name]])) }
}

/** `/userinfo` (OpenID Connect Core §5.3), answering as RFC 6750 §3 says. */
export function userinfoEndpoint(parts: UserinfoParts): Route {
  const { settings, ports, registry, issuedTokens, publish } = parts

  /** @throws OAuthError `invalid_token` */
  async function accepted(token: string) {
    const { ok, checks, token: decoded } = await verified(token)
    const broken = checks.find(each => !each.ok)
    if (!ok) throw invalidToken(`the token is refused: ${broken?.name}`, broken?.rule, broken?.detail)
    const { jti, client_id: clientId, scope, sub } = decoded.claims
    if (
      typeof jti !== 'string' ||
      typeof clientId !== 'string' ||
      typeof scope !== 'string' ||
      typeof sub !== 'string'
    ) {
      throw invalidToken('this is not an access token')
    }
    if (issuedTokens.isRevoked(jti)) throw invalidToken('the token was revoked', 'RFC 6750 §3.1')
    const user = registry.user(sub)
    if (user === undefined) throw invalidToken('there is no such user')
    return { user, clientId, scope: scope.split(' ') }
  }

  async function verified(token: string) {
    try {
      return await verifyJwt(token, verificationKeys(ports.keyring), {
        issuer: settings.issuer,
        now: ports.now(),
      })
    } catch (error) {
      if (error instanceof TokenFormatError)
        throw invalidToken('this is not an access token', 'RFC 7519 §7.2')
      throw error
    }
  }

  async function answer(http: HttpRequest): Promise<HttpResponse> {
    const presented = parseBearer(headerValues(http, 'authorization'))
    if (presented.kind === 'none') {
      // RFC 6750 §3.1: no error code where nothing was sent.
      return {
        status: 401,
        headers: [
          ['www-authenticate', challenge('Bearer', [['realm', 'oauth-lab']])],
          ['cache-control', 'no-store'],
        ],
        body: new Uint8Array(),
      }
    }
    if (presented.kind === 'malformed') {
      throw new OAuthError('invalid_request', { description: presented.problem, rule: 'RFC 6750 §2.1' })
    }
    const { user, clientId, scope } = await accepted(presented.token)
    if (!scope.includes('openid')) {
      throw new OAuthError('insufficient_scope', {
        description: 'the scope openid is needed here',
        rule: 'RFC 6750 §3.1',
      })
    }
    const claims = claimsFor(user, scope)
    publish({
      type: 'userinfo.answered',
      client_id: clientId,
      username: user.username,
      claims: Object.keys(claims),
    })
    return jsonResponse(200, claims, [['cache-control', 'no-store']])
  }

  function refuse(error: OAuthError): HttpResponse {
    const status = statusOf[error.code] ?? 400
    publish({ type: 'userinfo.refused', status, ...refusal(error) })
    const authenticate = challenge('Bearer', [
      ['realm', 'oauth-lab'],
      ...errorParameters(error),
      ['scope', error.code === 'insufficient_scope' ? 'openid' : undefined],
    ])
    return jsonResponse(status, Object.fromEntries(errorParameters(error)), [
      ['www-authenticate', authenticate],
      ['cache-control', 'no-store'],
    ])
  }

  const handler = async (http: HttpRequest) => {
    try {
      return await answer(http)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      return refuse(error)
    }
  }
  return { path: '/userinfo', methods: { GET: handler, POST: handler } }
}

/** RFC 6750 §3.1 */
const statusOf: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_token: 401,
  insufficient_scope: 403,
}

function invalidToken(description: string, rule = 'RFC 6750 §3.1', evidence?: string): OAuthError {
  return new OAuthError('invalid_token', {
    description,
    rule,
    ...(evidence === undefined ? {} : { evidence }),
  })
}
