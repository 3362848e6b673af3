import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import type { Session } from '../logins/sessions.js'

/** A login that waits for its second factor. */
export interface PendingLogin {
  /** The session that the second factor completes. */
  readonly session: Session
  /** True when the login page allowed the client already. */
  readonly allowed: boolean
}

/** Logins that wait for their second factor, in memory. */
export interface PendingLogins {
  /** Keeps a login and returns its id. */
  keep(login: PendingLogin): string
  find(id: string): PendingLogin | undefined
  /** Ends the wait. False when another request has ended it before. */
  take(id: string): boolean
}

/** Time for the second factor, in milliseconds. */
const LIFETIME = 5 * 60_000

/** Most logins that wait. */
const MAX_PENDING = 5_000

/** Most bytes of them. */
const MAX_BYTES = 8 * 1024 * 1024

/** Makes the store of logins that wait for their second factor. */
export function createPendingLogins(options: {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): PendingLogins {
  const { now, random } = options
  const logins = createExpiringMap<{ readonly login: PendingLogin; readonly until: number } | 'taken'>({
    lifetime: LIFETIME,
    limit: MAX_PENDING,
    maxBytes: MAX_BYTES,
    now,
  })
  const find = (id: string) => {
    const found = logins.get(id)
    return found === undefined || found === 'taken' || now() >= found.until ? undefined : found.login
  }
  return {
    keep(login) {
      const id = Buffer.from(random(32)).toString('base64url')
      logins.set(id, { login, until: now() + LIFETIME })
      return id
    },
    find,
    take(id) {
      if (find(id) === undefined) return false
      logins.set(id, 'taken')
      return true
    },
  }
}
