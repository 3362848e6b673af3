import { createExpiringMap } from '../../protocol/bounded-maps.js'
import type { AuthorizationRequest } from '../../protocol/oauth/authorization-request.js'
import { secretsEqual } from '../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Issuer } from './issuer.js'
import { LOGIN_LIFETIME, MAX_KEPT, MAX_KEPT_BYTES } from './limits.js'

/** The addresses of an authorization server that a login uses. */
export interface Endpoints {
  readonly token: string
  readonly keys: string
  readonly userinfo?: string
  readonly endSession?: string
}

/** A login that this client started. */
export interface Login {
  readonly at: Issuer
  readonly endpoints: Endpoints
  readonly request: AuthorizationRequest
  /** The address that the login leads back to. */
  readonly returnTo: string
}

/** The logins under way, by their states. */
export interface Logins {
  /** @param browser the secret of the browser that starts the login */
  keep(state: string, browser: string, login: Login): void
  /**
   * Returns the login of a state, once.
   * @param browser the secret in the browser's cookie
   * @throws OAuthError `state_mismatch` (RFC 6749 §10.12)
   */
  take(state: string | undefined, browser: string | undefined): Login
}

interface Kept {
  readonly browser: string
  readonly login: Login
  readonly until: number
}

function mismatch(description: string): OAuthError<'state_mismatch'> {
  return new OAuthError('state_mismatch', { description, rule: 'RFC 6749 §10.12' })
}

/** Makes the empty store of logins. @param now milliseconds since the epoch */
export function createLogins(now: () => number): Logins {
  const kept = createExpiringMap<Kept | 'finished'>({
    lifetime: LOGIN_LIFETIME,
    limit: MAX_KEPT,
    maxBytes: MAX_KEPT_BYTES,
    now,
  })
  return {
    keep(state, browser, login) {
      kept.set(state, { browser, login, until: now() + LOGIN_LIFETIME })
    },
    take(state, browser) {
      if (state === undefined) throw mismatch('the answer has no state')
      const found = kept.get(state)
      if (found === undefined) throw mismatch('the answer has a state that this client did not send')
      if (found === 'finished') throw mismatch('the login of this state is finished already')
      if (browser === undefined || !secretsEqual(browser, found.browser)) {
        throw mismatch('the answer belongs to a login of another browser')
      }
      kept.set(state, 'finished')
      if (now() < found.until) return found.login
      throw mismatch(`the login of this state took longer than ${LOGIN_LIFETIME / 60_000} minutes`)
    },
  }
}
