import { cut } from '../../../protocol/events.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { butReadAgain } from '../../../protocol/second-reading.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import { kindOf } from '../../../protocol/tokens/explain.js'
import type { Publish } from '../events.js'
import { authenticationOf } from '../logins/authentication.js'
import type { Binding } from '../model.js'
import { narrowedScope } from '../parameters/scopes.js'
import type { BaseParts } from '../parts.js'
import type { Authorization, LatestUse } from '../stores/refresh-tokens.js'
import { type Grant, invalidGrant, type RequiredKey, required } from './grant.js'

/** A refresh request: the token, and who presents it. */
interface Presented {
  readonly token: string
  readonly client: Client
  readonly binding: Binding
  readonly publish: Publish
}

const RULE = 'RFC 6749 §6'

/** The refresh token grant (RFC 6749 §6), with rotation (RFC 9700 §4.14.2). */
export function refreshTokenGrant(parts: BaseParts): Grant {
  const { codes, defences, registry, refreshTokens, issuedTokens, now } = parts

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

  /**
   * Returns the authorization of a token that this client may use now. `repeated`: the token was used a moment ago, and its
   * client asks for the lost answer.
   * @throws OAuthError `invalid_grant`
   */
  function authorizationOf({ token, client, binding, publish }: Presented) {
    const found = refreshTokens.find(token)
    const refused = (description: string) => invalidGrant(description, RULE, seen(token))
    if (found === undefined) {
      const other = codes.find(token)
        ? '; it is a code: send it as code, with grant_type=authorization_code'
        : butReadAgain('refresh token', token, each => refreshTokens.find(each) !== undefined)
      const jwt = other === '' ? decodeIfJwt(token) : undefined
      throw refused(`the refresh token is unknown or expired${jwt ? `; it is a JWT${kindOf(jwt)}` : other}`)
    }
    const { authorization, state, spentBy } = found
    const isOwn = authorization.client_id === client.client_id
    const repeated = state === 'rotated' && isOwn && repeatsUse(spentBy, binding, now())
    if (state === 'rotated' && !repeated) throw reused(token, authorization, publish)
    if (!isOwn) throw refused('the refresh token was issued to another client')
    if (state === 'revoked') throw refused('the refresh token was revoked')
    if (state === 'expired') throw refused('the refresh token is unknown or expired')
    if (registry.user(authorization.username) === undefined) throw refused('there is no such user')
    return { authorization, repeated }
  }

  /** Returns the successor of a spent token again. */
  function repeat({ token, publish }: Presented, { client_id, username }: Authorization): string {
    const successor = refreshTokens.latest(token)
    publish({
      type: 'refresh_token.repeated',
      client_id,
      username,
      refresh_token: cut(token),
      replaced_by: cut(successor),
      rule: 'RFC 9700 §4.14.2',
    })
    return successor
  }

  return {
    grantType: 'refresh_token',
    parameters: ['refresh_token', 'scope'],
    async decide(client, parameters, { binding: proven, publish }) {
      const token = required(parameters.refresh_token, 'refresh_token', RULE)
      const presented = { token, client, binding: proven, publish }
      const { authorization } = authorizationOf(presented)
      const { username, family, session, binding, resources, claims, details = [] } = authorization
      const scope = narrowedScope(parameters.scope, authorization.scope, RULE)
      return {
        subject: username,
        scope,
        family,
        login: { ...authenticationOf(authorization), session },
        claims,
        authorizedResources: resources,
        authorizedDetails: details,
        requiredKeys: keysOf(binding, seen(token)),
        redeem(entitlement) {
          // Another request may have used the token since the first check.
          const { repeated } = authorizationOf(presented)
          if (repeated) return repeat(presented, authorization)
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

/**
 * Time in which a client may repeat a refresh request whose answer it lost, in milliseconds. FAPI 2.0 Security Profile §5.3.2.1-9
 * allows rotation only with such a time, and names no length. A client whose request timed out waits half a minute before it tries
 * again, as the module `refresh-token` of the OpenID Foundation's suite does. The time adds no risk, because the repeated request
 * proves the same key.
 */
const REPEAT_TIME = 45_000

/** True for the same key or certificate. Two bearers are not known to be the same. */
function sameKey(one: Binding, other: Binding): boolean {
  if (one.kind === 'dpop') return other.kind === 'dpop' && other.jkt === one.jkt
  if (one.kind === 'certificate') return other.kind === 'certificate' && other.thumbprint === one.thumbprint
  return false
}

/**
 * True when a request repeats the latest use of a spent refresh token, because its answer was lost. It proves the same key,
 * which a thief of the token lacks. Without a key the thief looks like the client, so there is no second answer.
 */
function repeatsUse(latest: LatestUse | undefined, binding: Binding, now: number): boolean {
  return latest !== undefined && now - latest.at < REPEAT_TIME && sameKey(latest.binding, binding)
}
