import { TooManyAttempts } from '../endpoints/client-endpoint.js'
import { byPassword } from '../logins/authentication.js'
import { grantedScope } from '../parameters/scopes.js'
import type { BaseParts } from '../parts.js'
import type { Grant } from './grant.js'
import { invalidGrant, required } from './grant.js'

/** The resource owner password credentials grant (RFC 6749 §4.3), limited against guessing (§4.3.2). */
export function passwordGrant(parts: BaseParts): Grant {
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
      const attempt = { username, address: remoteAddress }
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
