import { sourceOf } from '../../../protocol/http/network.js'
import { isConfidential } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { TooManyAttempts } from '../endpoints/client-endpoint.js'
import { byPassword } from '../logins/authentication.js'
import { grantedScope, scopeBeside } from '../parameters/scopes.js'
import type { BaseParts } from '../parts.js'
import type { TokenParts } from '../tokens/token-parts.js'
import { jwtBearerGrant, samlBearerGrant } from './assertions.js'
import { authorizationCodeGrant } from './authorization-code.js'
import { type Grant, invalidGrant, required } from './grant.js'
import { cibaGrant, deviceCodeGrant } from './polled-grant.js'
import { refreshTokenGrant } from './refresh-token.js'
import { tokenExchangeGrant } from './token-exchange.js'

/** Makes a grant from the parts of the server. */
export type MakeGrant = (parts: TokenParts) => Grant

export const GRANTS: readonly MakeGrant[] = [
  authorizationCodeGrant,
  refreshTokenGrant,
  passwordGrant,
  clientCredentialsGrant,
  jwtBearerGrant,
  samlBearerGrant,
  tokenExchangeGrant,
  deviceCodeGrant,
  cibaGrant,
]

/** Returns the grants of a server by `grant_type`. The metadata lists them. */
export function createGrants(table: readonly MakeGrant[], parts: TokenParts): ReadonlyMap<string, Grant> {
  return new Map(table.map(make => make(parts)).map(grant => [grant.grantType, grant]))
}

const USER_SCOPES = ['openid', 'offline_access']

/**
 * The client credentials grant (RFC 6749 §4.4). The subject is the client itself (RFC 9068 §2.2). Scopes that need a
 * user are dropped, and the event names them: some libraries ask for `openid` always, and read nothing from it.
 */
function clientCredentialsGrant({ settings }: BaseParts): Grant {
  return {
    grantType: 'client_credentials',
    parameters: ['scope'],
    async decide(client, { scope: requested }, { details }) {
      const rule = 'RFC 6749 §4.4'
      if (!isConfidential(client)) {
        throw new OAuthError('unauthorized_client', {
          description: 'client_credentials is for clients that authenticate',
          rule,
        })
      }
      const scope = scopeBeside(details, requested, client, settings).filter(
        token => !USER_SCOPES.includes(token),
      )
      return { subject: client.client_id, scope }
    },
  }
}

/** The resource owner password credentials grant (RFC 6749 §4.3), limited against guessing (§4.3.2). */
function passwordGrant(parts: BaseParts): Grant {
  const { settings, now, registry, checkPassword, passwordLimit, refreshTokens } = parts

  return {
    grantType: 'password',
    parameters: ['username', 'password', 'scope'],
    async decide(client, parameters, { remoteAddress, publish }) {
      const rule = 'RFC 6749 §4.3.2'
      const { client_id } = client
      const username = required(parameters.username, 'username', rule)
      const password = required(parameters.password, 'password', rule)
      const scope = grantedScope(parameters.scope, client, settings)
      const refuse = (reason: 'credentials' | 'rate' | 'busy') =>
        publish({ type: 'password.refused', client_id, username, reason })
      const user = registry.user(username)
      // Unknown users are checked and limited too: otherwise the response would reveal which users exist.
      const attempt = { accounts: [username], source: sourceOf(remoteAddress) }
      const verdict = await passwordLimit.check(attempt, () => checkPassword(user, password))
      if (verdict.kind === 'limited') {
        refuse('rate')
        const description = 'too many wrong passwords; try again later'
        throw new TooManyAttempts({ description, rule }, verdict.retryAfterSeconds)
      }
      if (verdict.kind === 'busy') {
        refuse('busy')
        throw new TooManyAttempts({ description: 'too many passwords are being checked', rule }, 1)
      }
      if (verdict.kind === 'wrong' || user === undefined) {
        refuse('credentials')
        throw invalidGrant('username or password is wrong', rule)
      }
      const login = byPassword(now())
      return {
        subject: user.username,
        scope,
        login,
        redeem: entitlement => refreshTokens.issueFor(entitlement, login),
      }
    },
  }
}
