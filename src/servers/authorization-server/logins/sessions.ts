import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import { cookie, type HeaderList, type HttpRequest } from '../../../protocol/http/message.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { BrowserSession } from '../model.js'
import { acceptsSubject, type ClaimsRequest } from '../parameters/claims-request.js'
import type { LoginDemands } from '../parameters/login-demands.js'
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

/** Most sessions of a user. */
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
    const session = live(id)
    if (id !== undefined && session !== undefined) sessions.set(id, 'ended', session.username)
  }
  return {
    find: request => live(idOf(request)),
    start(request, session) {
      end(request)
      const id = Buffer.from(random(32)).toString('base64url')
      sessions.set(id, session, session.username)
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

/** The next step for a request: use the session, show the login form, or refuse. */
export type SignOn =
  | { readonly kind: 'resume'; readonly session: Session }
  /** `username` is filled into the form. */
  | { readonly kind: 'ask'; readonly username: string | undefined }
  | { readonly kind: 'refuse'; readonly error: OAuthError<'login_required'> }

/** The person that a request wants. */
export interface WantedPerson extends LoginDemands {
  readonly loginHint: string | undefined
  /** Its claims `sub` may name the person (OpenID Connect Core §5.5.1). */
  readonly claims: ClaimsRequest
}

/** The person who uses the browser, as far as the server knows. */
export interface PresentPerson {
  readonly session: Session | undefined
  /** The `sub` by which the client knows the user of the session. */
  readonly sub: string | undefined
  /** The user of a verified id_token_hint. */
  readonly hintedSubject: string | undefined
  readonly now: number
}

/** Decides whether a session answers a request (OpenID Connect Core §3.1.2.1, §3.1.2.3). */
export function decideSignOn(
  { prompts, maxAge, loginHint, claims }: WantedPerson,
  { session, sub, hintedSubject, now }: PresentPerson,
): SignOn {
  const rule = 'OpenID Connect Core §3.1.2.6'
  const young = session !== undefined && (maxAge === undefined || now - session.loginAt < maxAge)
  const hinted =
    (hintedSubject === undefined || hintedSubject === session?.username) &&
    (sub === undefined || acceptsSubject(sub, claims))
  const asks = prompts.includes('login') || prompts.includes('select_account')
  if (young && hinted && !asks) return { kind: 'resume', session }
  if (prompts.includes('none')) {
    const description = young
      ? 'prompt is none, and another user than the wanted one is logged in'
      : session === undefined
        ? 'prompt is none, and nobody is logged in'
        : 'prompt is none, and the login is older than max_age'
    return { kind: 'refuse', error: new OAuthError('login_required', { description, rule }) }
  }
  const known = prompts.includes('select_account') ? undefined : session?.username
  return { kind: 'ask', username: loginHint ?? hintedSubject ?? known }
}

/** Most clients of a session that are informed of its end. The client that was used longest ago is forgotten. */
export const MAX_CLIENTS = 50

/** Makes the identity of a new session. */
export function newBrowserSession(random: (length: number) => Uint8Array): BrowserSession {
  const text = () => Buffer.from(random(16)).toString('base64url')
  return { sid: text(), state: text(), clients: new Set(), ended: false }
}

/** Notes that a client gets an ID token of a session. */
export function joinSession({ clients }: BrowserSession, clientId: string): void {
  clients.delete(clientId)
  clients.add(clientId)
  if (clients.size > MAX_CLIENTS) clients.delete(clients.values().next().value!)
}

/** A login that waits for its second factor. */
export interface PendingLogin {
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

/** Most logins of a user that wait. */
const MAX_PENDING = 5_000

/** Most bytes of them. */
const MAX_PENDING_BYTES = 8 * 1024 * 1024

/** Makes the store of logins that wait for their second factor. */
export function createPendingLogins(options: {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): PendingLogins {
  const { now, random } = options
  const logins = createExpiringMap<{ readonly login: PendingLogin; readonly until: number } | 'taken'>({
    lifetime: LIFETIME,
    limit: MAX_PENDING,
    maxBytes: MAX_PENDING_BYTES,
    now,
  })
  const find = (id: string) => {
    const found = logins.get(id)
    return found === undefined || found === 'taken' || now() >= found.until ? undefined : found.login
  }
  return {
    keep(login) {
      const id = Buffer.from(random(32)).toString('base64url')
      logins.set(id, { login, until: now() + LIFETIME }, login.session.username)
      return id
    },
    find,
    take(id) {
      const login = find(id)
      if (login === undefined) return false
      logins.set(id, 'taken', login.session.username)
      return true
    },
  }
}
