import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import { cookie, type HeaderList, type HttpRequest } from '../../../protocol/http/message.js'
import { type BrowserSession, newBrowserSession } from '../logout/browser-session.js'
import type { Authentication } from './authentication.js'
import type { Consents } from './consents.js'

/** A user's login in one browser, for a limited time. */
export interface Session extends Authentication {
  readonly username: string
  /** The access that the user allowed since the login. */
  readonly consents: Consents
  readonly browser: BrowserSession
}

/** The logins of browsers. */
export interface Sessions {
  /** Returns the session of the browser that sent the request, unless it has ended. */
  find(request: HttpRequest): Session | undefined
  /**
   * Starts a session and ends the browser's former one. Every login gets a new id, so that an id which an attacker
   * planted in the browser is worthless (session fixation). Returns the headers that set its cookies.
   */
  start(request: HttpRequest, session: Session): HeaderList
  /** Ends the browser's session. Returns the headers that clear its cookies. */
  end(request: HttpRequest): HeaderList
  /** Returns the identity of the session of a person who logs in: that of the browser's session, if it is the person's own. */
  identify(request: HttpRequest, username: string): BrowserSession
  readonly size: number
}

const COOKIE_NAME = '__Host-oauth-lab-session'

/** The cookie that the script of the check_session_iframe reads. It holds one random value, and opens nothing. */
export const STATE_COOKIE = '__Host-oauth-lab-browser-state'

/** Lax: an authorization request is a link on another site. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** A script reads the cookie, in a frame on a page of another site (Session Management §3.2). */
const STATE_ATTRIBUTES = 'Path=/; Secure; SameSite=None'

/** Most sessions in memory. */
export const MAX_SESSIONS = 5_000

/** Most bytes of them. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * @param options.lifetime of a session from its login, in milliseconds
 * @param options.isUser false for a removed user, whose sessions are over
 */
export function createSessions(options: {
  readonly lifetime: number
  readonly isUser: (username: string) => boolean
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): Sessions {
  const { lifetime, isUser, now, random } = options
  const sessions = createExpiringMap<Session | 'ended'>({
    lifetime,
    limit: MAX_SESSIONS,
    maxBytes: MAX_BYTES,
    now,
  })
  const live = (id: string | undefined) => {
    const session = id === undefined ? undefined : sessions.get(id)
    if (session === undefined || session === 'ended' || now() >= session.loginAt + lifetime) return undefined
    return isUser(session.username) ? session : undefined
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
      // It ends with the session, so that the frame reports that end too.
      const maxAge = Math.max(0, Math.floor((session.loginAt + lifetime - now()) / 1000))
      return [
        ['set-cookie', `${COOKIE_NAME}=${id}; ${ATTRIBUTES}`],
        ['set-cookie', `${STATE_COOKIE}=${session.browser.state}; ${STATE_ATTRIBUTES}; Max-Age=${maxAge}`],
      ]
    },
    end(request) {
      end(request)
      return [
        ['set-cookie', `${COOKIE_NAME}=; ${ATTRIBUTES}; Max-Age=0`],
        ['set-cookie', `${STATE_COOKIE}=; ${STATE_ATTRIBUTES}; Max-Age=0`],
      ]
    },
    identify(request, username) {
      const session = live(idOf(request))
      return session?.username === username ? session.browser : newBrowserSession(random)
    },
    get size() {
      return sessions.size
    },
  }
}
