import { cut } from '../../events/outside-text.js'
import type { Client } from '../../oauth/client.js'
import type { Defences } from '../defences.js'
import type { Publish } from '../events.js'
import type { Binding } from '../model.js'
import { narrowedScope } from '../parameters/scopes.js'
import type { IssuedTokens } from '../stores/issued-tokens.js'
import type { Authorization, RefreshTokens } from '../stores/refresh-tokens.js'
import type { Registry } from '../stores/registry.js'
import type { Grant, RequiredKey } from './grant.js'
import { invalidGrant, required } from './refusals.js'

/** The parts that the grant uses. */
export interface RefreshTokenParts {
  readonly defences: Defences
  readonly registry: Registry
  readonly refreshTokens: RefreshTokens
  readonly issuedTokens: IssuedTokens
}

const RULE = 'RFC 6749 §6'

/** The refresh token grant (RFC 6749 §6), with rotation (RFC 9700 §4.14.2). */
export function refreshTokenGrant(parts: RefreshTokenParts): Grant {
  const { defences, registry, refreshTokens, issuedTokens } = parts

  /** Revokes the whole authorization: the server cannot know which user of the token is the thief (RFC 9700 §4.14.2). */
  function reused(token: string, { client_id, username, family }: Authorization, publish: Publish) {
    const rule = 'RFC 9700 §4.14.2'
    publish({ type: 'refresh_token.reused', client_id, username, refresh_token: cut(token), rule })
    for (const jti of issuedTokens.revokeFamily(family)) {
      publish({ type: 'token.revoked', client_id, username, jti, reason: 'its refresh token was reused' })
    }
    return invalidGrant(
      'the refresh token was used before; every token of this authorization is revoked',
      rule,
      seen(token),
    )
  }

  /** Returns the authorization of a token that this client may use now. @throws OAuthError `invalid_grant` */
  function authorizationOf(token: string, client: Client, publish: Publish): Authorization {
    const found = refreshTokens.find(token)
    const refused = (description: string) => invalidGrant(description, RULE, seen(token))
    if (found === undefined) throw refused('the refresh token is unknown or expired')
    const { authorization, state } = found
    if (authorization.client_id !== client.client_id) {
      throw refused('the refresh token was issued to another client')
    }
    if (state === 'rotated') throw reused(token, authorization, publish)
    if (state === 'revoked') throw refused('the refresh token was revoked')
    if (state === 'expired') throw refused('the refresh token is unknown or expired')
    if (registry.user(authorization.username) === undefined) throw refused('there is no such user')
    return authorization
  }

  return {
    grantType: 'refresh_token',
    parameters: ['refresh_token', 'scope'],
    async decide(client, parameters, { publish }) {
      const token = required(parameters.refresh_token, 'refresh_token', RULE)
      const authorization = authorizationOf(token, client, publish)
      const { username, family, loginAt, binding, resources, claims } = authorization
      const scope = narrowedScope(parameters.scope, authorization.scope, RULE)
      return {
        subject: username,
        scope,
        family,
        login: { at: loginAt },
        claims,
        authorizedResources: resources,
        requiredKeys: keysOf(binding, seen(token)),
        redeem(entitlement) {
          // Another request may have used the token since the first check.
          authorizationOf(token, client, publish)
          return defences.renewRefreshToken(refreshTokens, { token, entitlement, publish })
        },
      }
    },
  }
}

/** Returns what each use of a bound refresh token proves to hold (RFC 9449 §5, RFC 8705 §4). */
function keysOf(binding: Binding, evidence: string): RequiredKey[] {
  switch (binding.kind) {
    case 'bearer':
      return []
    case 'dpop':
      return [{ of: 'refresh_token', jkt: binding.jkt, evidence }]
    case 'certificate':
      return [{ of: 'certificate', token: 'refresh_token', thumbprint: binding.thumbprint, evidence }]
  }
}

const seen = (token: string) => `refresh token ${cut(token)}`
