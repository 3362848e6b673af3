import { createExpiringMap } from '../../protocol/bounded-maps.js'
import type { AuthorizationRequest } from '../../protocol/oauth/authorization-request.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { secretsEqual } from '../../protocol/secrets.js'
import { type Issuer, LOGIN_LIFETIME, MAX_KEPT, MAX_KEPT_BYTES, SESSION_LIFETIME } from './settings.js'

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
  /**
   * @param browser the secret of the browser that starts the login
   * @param owner the network of the browser: anyone may start logins that never finish
   */
  keep(state: string, browser: string, login: Login, owner: string): void
  /**
   * Returns the login of a state, once.
   * @param browser the secret in the browser's cookie
   * @throws OAuthError `state_mismatch` (RFC 6749 §10.12)
   */
  take(state: string | undefined, browser: string | undefined): Login
}

export interface KeptLogin {
  readonly owner: string
  readonly browser: string
  readonly login: Login
  readonly until: number
}

function mismatch(description: string): OAuthError<'state_mismatch'> {
  return new OAuthError('state_mismatch', { description, rule: 'RFC 6749 §10.12' })
}

/** Makes the empty store of logins. @param now milliseconds since the epoch */
export function createLogins(now: () => number): Logins {
  const kept = createExpiringMap<KeptLogin | 'finished'>({
    lifetime: LOGIN_LIFETIME,
    limit: MAX_KEPT,
    maxBytes: MAX_KEPT_BYTES,
    now,
  })
  return {
    keep(state, browser, login, owner) {
      kept.set(state, { owner, browser, login, until: now() + LOGIN_LIFETIME }, owner)
    },
    take(state, browser) {
      if (state === undefined) throw mismatch('the answer has no state')
      const found = kept.get(state)
      if (found === undefined) throw mismatch('the answer has a state that this client did not send')
      if (found === 'finished') throw mismatch('the login of this state is finished already')
      if (browser === undefined || !secretsEqual(browser, found.browser)) {
        throw mismatch('the answer belongs to a login of another browser')
      }
      kept.set(state, 'finished', found.owner)
      if (now() < found.until) return found.login
      throw mismatch(`the login of this state took longer than ${LOGIN_LIFETIME / 60_000} minutes`)
    },
  }
}

/** The sessions that a message of an issuer ends: those of one session there, or all of a person. */
export interface EndedLogins {
  readonly issuer: string
  readonly sid?: string
  readonly subject?: string
}

/** A person who is logged in with one browser. */
export interface Session {
  readonly issuer: string
  readonly clientId: string
  readonly subject: string
  /** The name under which the notes are kept. */
  readonly account: string
  /** A name for people. It identifies nobody. */
  readonly name: string
  /** Proves at a logout whose session is meant; absent without an ID token. */
  readonly idToken?: string
  /** The session at the issuer; absent where its ID tokens do not name one. */
  readonly sid?: string
  /** The address that ends the session at the issuer, where it has one. */
  readonly endSession?: string
}

/** The sessions by their ids. */
export interface Sessions {
  find(id: string | undefined): Session | undefined
  start(id: string, session: Session): void
  end(id: string): void
  /**
   * Ends the sessions that an issuer names: those of its own session `sid`, or else all of a person until now.
   * @param owner the sender of the message: the issuer, or a network of which anyone may send messages
   */
  endAll(ended: EndedLogins, owner: string): void
  /** True for a session that its issuer ended. */
  endedByIssuer(id: string | undefined): boolean
}

interface Kept {
  readonly session: Session
  readonly until: number
  readonly turn: number
}

/** Makes the empty store of sessions. @param now milliseconds since the epoch */
export function createSessions(now: () => number): Sessions {
  /** Counts starts and ends, so that an end does not meet sessions that start later in the same millisecond. */
  let turn = 0
  const ends = createExpiringMap<number>({
    lifetime: SESSION_LIFETIME,
    limit: MAX_KEPT,
    maxBytes: MAX_KEPT_BYTES,
    now,
  })
  const kept = createExpiringMap<Kept | 'ended'>({
    lifetime: SESSION_LIFETIME,
    limit: MAX_KEPT,
    maxBytes: MAX_KEPT_BYTES,
    now,
  })
  const keyOf = (...parts: readonly string[]) => JSON.stringify(parts)

  /** An end of `sid` also meets a login that finishes after it: the issuer ended that session before. */
  function isEnded({ session: { issuer, subject, sid }, turn: started }: Kept): boolean {
    if (sid !== undefined && ends.get(keyOf('sid', issuer, sid)) !== undefined) return true
    return (ends.get(keyOf('sub', issuer, subject)) ?? 0) > started
  }

  function live(id: string | undefined): Kept | undefined {
    const found = id === undefined ? undefined : kept.get(id)
    return found === undefined || found === 'ended' || now() >= found.until ? undefined : found
  }

  return {
    find(id) {
      const found = live(id)
      return found === undefined || isEnded(found) ? undefined : found.session
    },
    endedByIssuer(id) {
      const found = live(id)
      return found !== undefined && isEnded(found)
    },
    endAll({ issuer, sid, subject }, owner) {
      turn += 1
      if (sid !== undefined) ends.set(keyOf('sid', issuer, sid), turn, owner)
      else if (subject !== undefined) ends.set(keyOf('sub', issuer, subject), turn, owner)
    },
    start(id, session) {
      turn += 1
      kept.set(id, { session, until: now() + SESSION_LIFETIME, turn }, session.account)
    },
    end(id) {
      const found = kept.get(id)
      if (found !== undefined && found !== 'ended') kept.set(id, 'ended', found.session.account)
    },
  }
}
