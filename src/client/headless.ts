import { isUrl } from '../protocol/http/address.js'
import type { Exchange, Send } from '../protocol/http/exchange.js'
import { encodeForm, readPairs } from '../protocol/http/form.js'
import { bytes, type Header, type HttpRequest, splitUrl } from '../protocol/http/message.js'
import { type AuthorizationRequest, deliveryTo } from '../protocol/oauth/authorization-request.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import { codeChallenge } from '../protocol/oauth/pkce.js'
import type { Citation } from '../protocol/rules/rule.js'
import { defined } from '../protocol/values.js'
import type { Callback } from './callback.js'
import { type CookieJar, createCookieJar } from './cookies.js'
import { logOutHeadless } from './headless-logout.js'
import type { AskLogin, LoginPrompt } from './login.js'
import type { ReadPage } from './login-page.js'
import { pageError, unknownCode } from './page-error.js'
import {
  checkFollow,
  createPageVisitor,
  pressing,
  redirectTarget,
  shownPage,
  withoutFragment,
} from './page-visitor.js'
import type { AgentTask, UserAgent, Visit } from './user-agent.js'

/** The ports of the headless user agent. */
interface HeadlessParts {
  readonly send: Send
  readonly askLogin: AskLogin
  /** The codes for a second page of a login. Absent: none is known. */
  readonly oneTimeCode?: OneTimeCodeOf | undefined
  /** Asks the person for a code that is not known. Absent: nobody is there to ask. */
  readonly askCode?: AskLogin | undefined
  /** The listener at the redirect_uri. Absent when this program cannot listen at that address. */
  readonly callback?: Callback
  /** The listener at the post_logout_redirect_uri, where it is not the same. */
  readonly logoutCallback?: Callback | undefined
  /** Continues when the resource owner answers `browser`, and logs out there. */
  readonly browser?: UserAgent
  /** Continues at a page that this program cannot read, or whose form leads to another origin. */
  readonly unread?: UserAgent
}

/** Errors of pages that only a person in a browser understands. */
const UNREAD: ReadonlySet<string> = new Set(['unknown_page', 'foreign_login_form'])

/** True when `target` is the redirect_uri, with any parameters. */
function isAnswer(target: string, redirectUri: string): boolean {
  if (!isUrl(redirectUri)) return false
  const [a, b] = [new URL(target), new URL(redirectUri)]
  return a.protocol === b.protocol && a.host === b.host && a.pathname === b.pathname
}

/** The answer of a server on its way to the redirect_uri. */
interface BroughtAnswer {
  readonly address: string
  /** The encoded form that is posted there (OAuth 2.0 Form Post Response Mode §2). Absent: the address has the answer. */
  readonly form?: string
}

const FORM_TYPE: Header = ['content-type', 'application/x-www-form-urlencoded']

/** Returns the answer in a page whose form leads to the redirect_uri, for a request that asked for such a page. */
function postedAnswer({ confirm }: ReadPage, request: AuthorizationRequest): BroughtAnswer | undefined {
  if (deliveryTo(request) !== 'form_post' || confirm === undefined) return undefined
  if (!isAnswer(confirm.action, request.redirectUri)) return undefined
  return { address: confirm.action, form: encodeForm(confirm.fields) }
}

/** A browser session: its cookies, and the user who logged in last. */
interface BrowserSession {
  readonly jar: CookieJar
  username?: string
  /** True when the person logged in with their own browser, which has the cookies. */
  elsewhere?: true
}

const newSession = (): BrowserSession => ({ jar: createCookieJar() })

/** Returns an address with a form in its query, which is how a landing shows a posted answer. */
function withForm(address: string, form: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${form}`
}

/** Returns the description of the request for the resource owner. */
function promptFor({ clientId, scope }: AuthorizationRequest, message: string | undefined): LoginPrompt {
  return { clientId, ...(scope !== undefined && { scope }), ...(message !== undefined && { message }) }
}

/** Returns the error for a page where `prompt=none` forbids any (OpenID Connect Core §3.1.2.1). */
function shownInSilence({ response }: Exchange, page: ReadPage): OAuthError {
  if ((response?.status ?? 0) >= 400) return pageError(response?.status, page)
  const what = page.form ? 'its login form' : 'a page'
  return new OAuthError('unknown_page', {
    description: `the server shows ${what}, and prompt=none allows none`,
    rule: 'OpenID Connect Core §3.1.2.1',
  })
}

/** Returns the error for a login that the resource owner did not complete. */
export function cancelled(message: string | undefined, rule: Citation = 'RFC 6749 §4.1'): OAuthError {
  return message === undefined
    ? new OAuthError('login_cancelled', {
        description: 'nobody logged in',
        rule,
      })
    : new OAuthError('login_failed', { description: message, rule })
}

/**
 * Creates the user agent that this program plays itself. It fetches the login page, fills in its form and follows redirects one by one. It visits the
 * redirect_uri when this program listens there.
 */
export function createHeadlessAgent(parts: HeadlessParts): UserAgent {
  const { send, askLogin, oneTimeCode, askCode, callback, logoutCallback = callback, browser, unread } = parts
  /** The session that the last task left behind. */
  let kept = newSession()

  return {
    async *authorize(task) {
      try {
        yield* visit(task)
      } catch (error) {
        if (!unread || !(error instanceof OAuthError) || !UNREAD.has(error.code)) throw error
        yield* unread.authorize(task)
      }
    },
    async *logout(task) {
      if (kept.elsewhere && browser?.logout) yield* browser.logout(task)
      else yield* logOutHeadless({ send, jar: kept.jar, callback: logoutCallback }, task)
    },
  }

  /** Continues in the person's own browser. */
  async function* moved(task: AgentTask, to: UserAgent): AsyncGenerator<Visit, void, void> {
    kept.elsewhere = true
    yield* to.authorize(task)
  }

  async function* visit(task: AgentTask): AsyncGenerator<Visit, void, void> {
    const { request, signal, again: goesOn } = task
    if (!goesOn) kept = newSession()
    const session = kept
    if (session.elsewhere && browser) {
      yield* browser.authorize(task)
      return
    }
    const visitor = createPageVisitor(send, request.url, signal, session.jar)

    let name: 'login_form' | 'login' = 'login_form'
    let exchange = await visitor.open(request.url)
    let redirects = 0
    let pressed = 0
    let loggedIn = false
    let codes = 0
    for (;;) {
      const target = redirectTarget(exchange)
      if (target !== undefined) {
        if (isAnswer(target, request.redirectUri)) {
          yield { name, exchange }
          yield await land({ address: target }, task)
          return
        }
        yield { name, exchange, repeats: true }
        redirects += 1
        checkFollow(target, redirects)
        exchange = await visitor.open(target)
        continue
      }
      redirects = 0
      const page = shownPage(exchange)
      const { form } = page
      const posted = postedAnswer(page, request)
      if (posted !== undefined) {
        yield { name, exchange }
        yield await land(posted, task)
        return
      }
      if (task.silent) {
        yield { name, exchange }
        throw shownInSilence(exchange, page)
      }
      const press = pressing(page, exchange.response?.status, pressed)
      if (page.confirm && press !== undefined) {
        yield { name, exchange, repeats: true, note: press }
        pressed += 1
        name = 'login'
        exchange = await visitor.press(page.confirm, exchange)
        continue
      }
      if (page.codeForm) {
        const known = oneTimeCode?.(session.username, codes)
        const note = page.alert ?? 'the server asks for a one-time code'
        const goesOn = known !== undefined || askCode !== undefined
        yield { name, exchange, note, ...(goesOn && { repeats: true as const }) }
        const message = codes > 0 ? note : undefined
        const asked: LoginPrompt = { ...promptFor(request, message), oneTimeCode: true }
        const typed = known === undefined ? await askCode?.(asked) : undefined
        signal.throwIfAborted()
        if (typed?.kind === 'browser' && browser) {
          yield* moved(task, browser)
          return
        }
        const code = typed?.kind === 'code' ? typed.code : known
        if (code === undefined) throw typed ? cancelled(message) : unknownCode(page, codes > 0)
        codes += 1
        name = 'login'
        exchange = await visitor.enter(page.codeForm, code, exchange)
        continue
      }
      const again = loggedIn
      const message = again ? page.alert || page.notice || 'the server shows the login form again' : undefined
      yield { name, exchange, ...(message !== undefined && form && { note: message, repeats: true }) }
      if (!form) throw pageError(exchange.response?.status, withoutBinding(page, request))
      const answer = await askLogin({ ...promptFor(request, message), ...(goesOn && { again: goesOn }) })
      signal.throwIfAborted()
      if (answer.kind === 'browser' && browser) {
        yield* moved(task, browser)
        return
      }
      if (answer.kind !== 'credentials') throw cancelled(message)
      name = 'login'
      loggedIn = true
      session.username = answer.username
      exchange = await visitor.submit(form, answer, exchange)
    }
  }

  /** Brings an answer to the redirect_uri. */
  async function land({ address, form }: BroughtAnswer, { request, signal }: AgentTask): Promise<Visit> {
    const name = 'authorization_response'
    const landed = form === undefined ? address : withForm(address, form)
    if (!callback) return { name, landed, note: 'not visited: this program does not listen there' }
    const visited = new AbortController()
    const arrival = callback.receive(request.state, AbortSignal.any([signal, visited.signal]), {
      fragment: deliveryTo(request) === 'fragment',
    })
    // The exchange below records the same visit from the other end.
    arrival.catch(() => undefined)
    const url = withoutFragment(address)
    const accept: Header = ['accept', 'text/html']
    const message: HttpRequest =
      form === undefined
        ? { method: 'GET', url, headers: [accept], body: new Uint8Array() }
        : { method: 'POST', url, headers: [accept, FORM_TYPE], body: bytes(form) }
    const exchange = await send(message, { signal })
    // Headless mode runs no scripts, so a fragment is never relayed.
    visited.abort()
    return { name, exchange, landed }
  }
}

/** Values that are shorter stand for nothing secret, and could be part of a word. */
const MIN_LENGTH = 8

/** Parameters that tie an answer to its request: a page that repeats them is not to be shown with them. */
const BINDING = new Set(['state', 'nonce', 'code_challenge', 'request', 'request_uri', 'id_token_hint'])

function parametersOf(url: string): readonly string[] {
  // Requests with a wrong move in them may have a query that cannot be decoded.
  return readPairs(splitUrl(url).query).flatMap(([name, value]) => (BINDING.has(name) ? [value] : []))
}

/** The text without the beginning of a value, where the end of the text was cut off inside of the value. */
function withoutCutValue(text: string, value: string): string {
  if (!text.endsWith('…')) return text
  const kept = text.slice(0, -1)
  for (let length = Math.min(value.length - 1, kept.length); length >= MIN_LENGTH; length--) {
    if (kept.endsWith(value.slice(0, length))) return `${kept.slice(0, -length)}…`
  }
  return text
}

type Binding = Pick<AuthorizationRequest, 'url' | 'state' | 'nonce' | 'codeVerifier'>

function hidden(text: string, values: readonly string[]): string {
  return values.reduce((shown, value) => {
    const without = shown.replaceAll(value, '…').replaceAll(encodeURIComponent(value), '…')
    return withoutCutValue(without, value)
  }, text)
}

/**
 * Returns a page without the values of an authorization request that tie its answer to it, such as `state`: a page may repeat the whole request, and its
 * text becomes part of a message.
 */
function withoutBinding(page: ReadPage, { url, state, nonce, codeVerifier }: Binding): ReadPage {
  const challenge = codeVerifier && codeChallenge(codeVerifier)
  const values = [state, nonce, codeVerifier, challenge, ...parametersOf(url)].flatMap(value =>
    value !== undefined && value.length >= MIN_LENGTH ? [value] : [],
  )
  const { text, alert, heading } = page
  return {
    ...page,
    ...defined({ alert: alert && hidden(alert, values), heading: heading && hidden(heading, values) }),
    text: hidden(text, values),
  }
}

/**
 * Returns the one-time code of a user for the page that asks for one; undefined when it is not known.
 * @param attempt 0 for the first code of a page, 1 after a refusal of that one, and so on
 */
export type OneTimeCodeOf = (username: string | undefined, attempt: number) => string | undefined
