import { createExpiringMap } from '../stores/expiring-map.js'
import { MAX_KEPT, MAX_KEPT_BYTES, SESSION_LIFETIME } from './limits.js'

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
  /** The address that ends the session at the issuer, where it has one. */
  readonly endSession?: string
}

/** The sessions by their ids. */
export interface Sessions {
  find(id: string | undefined): Session | undefined
  start(id: string, session: Session): void
  end(id: string): void
}

/** Makes the empty store of sessions. @param now milliseconds since the epoch */
export function createSessions(now: () => number): Sessions {
  const kept = createExpiringMap<{ readonly session: Session; readonly until: number } | 'ended'>({
    lifetime: SESSION_LIFETIME,
    limit: MAX_KEPT,
    maxBytes: MAX_KEPT_BYTES,
    now,
  })
  return {
    find(id) {
      const found = id === undefined ? undefined : kept.get(id)
      return found === undefined || found === 'ended' || now() >= found.until ? undefined : found.session
    },
    start(id, session) {
      kept.set(id, { session, until: now() + SESSION_LIFETIME })
    },
    end(id) {
      if (kept.get(id) !== undefined) kept.set(id, 'ended')
    },
  }
}
