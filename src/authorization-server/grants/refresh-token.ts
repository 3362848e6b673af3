import { cut } from '../../events/outside-text.js'
import { formatScope } from '../../oauth/scope.js'
import type { Publish } from '../events.js'
import { narrowedResources } from '../parameters/resources.js'
import { narrowedScope } from '../parameters/scopes.js'
import type { IssuedTokens } from '../stores/issued-tokens.js'
import type { Authorization, RefreshTokens } from '../stores/refresh-tokens.js'
import type { Registry } from '../stores/registry.js'
import type { Grant } from './grant.js'
import { invalidGrant, required } from './refusals.js'

/** What the grant works with. */
export interface RefreshTokenParts {
  readonly registry: Registry
  readonly refreshTokens: RefreshTokens
  readonly issuedTokens: IssuedTokens
}

/** The refresh token grant (RFC 6749 §6), with rotation (RFC 9700 §4.14.2). */
export function refreshTokenGrant(parts: RefreshTokenParts): Grant {
  const { registry, refreshTokens, issuedTokens } = parts

  /** Nobody knows which of the two users of a token is the thief: both lose everything. */
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

  return {
    grantType: 'refresh_token',
    parameters: ['refresh_token', 'scope'],
    // No await between the look-up and the rotation: of parallel uses only the first finds the token valid.
    async redeem(client, parameters, { resources: named, jkt, publish }) {
      const rule = 'RFC 6749 §6'
      const token = required(parameters.refresh_token, 'refresh_token', rule)
      const found = refreshTokens.find(token)
      if (found === undefined)
        throw invalidGrant('the refresh token is unknown or expired', rule, seen(token))
      const { authorization, state } = found
      if (authorization.client_id !== client.client_id) {
        throw invalidGrant('the refresh token was issued to another client', rule, seen(token))
      }
      if (state === 'rotated') throw reused(token, authorization, publish)
      if (state === 'revoked') throw invalidGrant('the refresh token was revoked', rule, seen(token))
      if (state === 'expired')
        throw invalidGrant('the refresh token is unknown or expired', rule, seen(token))
      const { username, family, loginAt } = authorization
      if (registry.user(username) === undefined)
        throw invalidGrant('there is no such user', rule, seen(token))
      if (authorization.jkt !== undefined && authorization.jkt !== jkt) {
        const problem = jkt === undefined ? 'a DPoP proof is missing' : 'the DPoP proof is by another key'
        throw invalidGrant(`the refresh token is bound to a key: ${problem}`, 'RFC 9449 §5', seen(token))
      }
      const scope = narrowedScope(parameters.scope, authorization.scope, rule)
      const resources = narrowedResources(named, authorization.resources)
      const refreshToken = refreshTokens.rotate(token, client, jkt)
      publish({
        type: 'refresh_token.rotated',
        ...{
          client_id: client.client_id,
          username,
          refresh_token: cut(token),
          replaced_by: cut(refreshToken),
        },
        scope: formatScope(scope),
      })
      return {
        ...{ subject: username, scope, resources, family, refreshToken },
        login: { at: loginAt },
        ...(jkt === undefined ? {} : { jkt }),
      }
    },
  }
}

const seen = (token: string) => `refresh token ${cut(token)}`
