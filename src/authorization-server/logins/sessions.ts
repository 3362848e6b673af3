import type { HttpRequest } from '../../http/message.js'
import { cookie } from '../../http/message.js'
import { createExpiringMap } from '../stores/expiring-map.js'

/** A user who logged in with a browser, and stays so for a while. */
export interface Session {
  readonly username: string
  /** When the user typed the password: milliseconds since the epoch. */
  readonly loginAt: number
}

/** The logged-in users, by browser. */
export interface Sessions {
  /** The session of the browser that sent the request, while it lasts. */
  find(request: HttpRequest): Session | undefined
  /**
   * Begins a session, under a new id at every login: an id that somebody planted in the browser before is worth
   * nothing (session fixation). The browser's former session ends. Returns the Set-Cookie value.
   */
  start(request: HttpRequest, session: Session): string
  /** Ends the browser's session. Returns the Set-Cookie value that clears its cookie. */
  end(request: HttpRequest): string
  readonly size: number
}

const COOKIE_NAME = '__Host-oauth-lab-session'

/** Lax: an authorization request is a link on another site. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** Largest number of sessions. */
export const MAX_SESSIONS = 5_000

/**
 * @param options.lifetime of a session in milliseconds, from the login on
 * @param options.isUser false for a user who was removed: that session is over
 */
export function createSessions(options: {
  readonly lifetime: number
  readonly isUser: (username: string) => boolean
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): Sessions {
  const { lifetime, isUser, now, random } = options
  const sessions = createExpiringMap<Session | 'ended'>({ lifetime, limit: MAX_SESSIONS, now })
  const live = (id: string | undefined) => {
    const found = id === undefined ? undefined : sessions.get(id)
    if (found === undefined || found === 'ended' || now() >= found.loginAt + lifetime) return undefined
    return isUser(found.username) ? found : undefined
  }
  const idOf = (request: HttpRequest) => cookie(request, COOKIE_NAME)
  const end = (request: HttpRequest) => {
    const id = idOf(request)
    if (id !== undefined && live(id)) sessions.set(id, 'ended')
  }
  return {
    find: request => live(idOf(request)),
    start(request, session) {
      end(request)
      const id = Buffer.from(random(32)).toString('base64url')
      sessions.set(id, session)
      return `${COOKIE_NAME}=${id}; ${ATTRIBUTES}`
    },
    end(request) {
      end(request)
      return `${COOKIE_NAME}=; ${ATTRIBUTES}; Max-Age=0`
    },
    get size() {
      return sessions.size
    },
  }
}
