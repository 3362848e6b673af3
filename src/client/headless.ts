import type { Exchange, Send } from '../http/exchange.js'
import { encodeForm } from '../http/form.js'
import type { HttpRequest } from '../http/message.js'
import { bytes, header, mediaType } from '../http/message.js'
import type { AuthorizationRequest } from '../oauth/authorization.js'
import { OAuthError } from '../oauth/oauth-error.js'
import type { Callback } from './callback.js'
import { createCookieJar } from './cookies.js'
import type { AskLogin, LoginAnswer, LoginPrompt } from './login.js'
import type { LoginForm, ReadPage } from './login-page.js'
import { fillForm, readPage } from './login-page.js'
import type { Errand, UserAgent, Visit } from './user-agent.js'

/** What the headless user agent works with. */
export interface HeadlessParts {
  readonly send: Send
  readonly askLogin: AskLogin
  /** The listener at the redirect_uri; absent where that address is not ours to listen at. */
  readonly callback?: Callback
  /** Who carries on when the resource owner answers `browser`. */
  readonly browser?: UserAgent
}

/** More redirects in a row than a login needs. */
const MAX_REDIRECTS = 10

const passwordRule = 'RFC 6749 §10.11'

/** Where a redirect leads; undefined when the answer is none. */
function redirectTarget({ request, response }: Exchange): string | undefined {
  if (!response || ![301, 302, 303, 307, 308].includes(response.status)) return undefined
  const location = header(response, 'location')
  if (location === undefined || !URL.canParse(location, request.url)) {
    throw new OAuthError('invalid_response', {
      description: `the server answered ${response.status} without an address to go to`,
      rule: 'RFC 9110 §15.4',
    })
  }
  if (response.status >= 307 && request.method === 'POST') {
    throw new OAuthError('invalid_response', {
      description: `the server asks to send the password on to another address (${response.status})`,
      rule: 'RFC 9700 §4.12',
      evidence: location,
    })
  }
  // An absolute address stays byte for byte what the server wrote.
  return URL.canParse(location) ? location : new URL(location, request.url).href
}

/** Whether an address is the redirect_uri, whatever parameters were added to it. */
function isAnswer(target: string, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false
  const [a, b] = [new URL(target), new URL(redirectUri)]
  return a.protocol === b.protocol && a.host === b.host && a.pathname === b.pathname
}

/** What an answer shows to a person. */
function shownPage({ request, response }: Exchange): ReadPage {
  if (!response) return { text: '' }
  if (mediaType(response) !== 'text/html') return { text: response.body.slice(0, 300).trim() }
  return readPage(response.body, request.url)
}

/** The refusal behind a page that is no login form (RFC 6749 §4.1.2.1: shown, not redirected). */
function pageError(status: number | undefined, page: ReadPage): OAuthError {
  return new OAuthError(page.errorCode ?? (status && status >= 500 ? 'server_error' : 'error_page'), {
    description: page.alert || page.text || `the server answered ${status} with an empty page`,
    rule: 'RFC 6749 §4.1.2.1',
    evidence: `status ${status}`,
  })
}

/** A password is typed only into a form of the origin the authorization request went to. */
function checkForm(form: LoginForm, pageUrl: string, home: string): void {
  const refuse = (description: string) =>
    new OAuthError('foreign_login_form', { description, rule: passwordRule })
  const origin = new URL(pageUrl).origin
  if (origin !== home) {
    throw refuse(
      `the login page is at ${origin}, and passwords go to ${home} only; --browser can log in there`,
    )
  }
  if (new URL(form.action).origin !== home) {
    throw refuse(`the login form would send the password to ${new URL(form.action).origin}`)
  }
  if (form.method !== 'post') throw refuse('the login form would put the password into the address')
}

/** What the resource owner is told about the request. */
function promptFor({ clientId, scope }: AuthorizationRequest, message: string | undefined): LoginPrompt {
  return { clientId, ...(scope !== undefined && { scope }), ...(message !== undefined && { message }) }
}

function cancelled(message: string | undefined): OAuthError {
  return message === undefined
    ? new OAuthError('login_cancelled', {
        description: 'nobody logged in',
        rule: 'RFC 6749 §4.1',
      })
    : new OAuthError('login_failed', { description: message, rule: 'RFC 6749 §4.1' })
}

/**
 * The user agent that this program plays itself: fetches the login page, fills in its form, follows redirects one
 * by one, and really visits the redirect_uri where this side listens there.
 */
export function createHeadlessAgent(parts: HeadlessParts): UserAgent {
  const { send, askLogin, callback, browser } = parts

  return {
    async *authorize(errand) {
      const { request, signal } = errand
      const jar = createCookieJar()
      const home = new URL(request.url).origin

      const visit = async (message: HttpRequest): Promise<Exchange> => {
        const headers = [['accept', 'text/html'] as const, ...message.headers, ...jar.header(message.url)]
        const exchange = await send({ ...message, headers }, { signal })
        if (exchange.response) jar.store(message.url, exchange.response)
        return exchange
      }
      const open = (address: string) => {
        const url = withoutFragment(address)
        return visit({ method: 'GET', url, headers: [], body: new Uint8Array() })
      }
      const submit = (form: LoginForm, answer: LoginAnswer & { kind: 'credentials' }, from: string) =>
        visit({
          method: 'POST',
          url: form.action,
          headers: [
            ['content-type', 'application/x-www-form-urlencoded'],
            ['origin', home],
            ['referer', withoutFragment(from)],
          ],
          body: bytes(encodeForm(fillForm(form, answer.username, answer.password))),
        })

      let name: 'login_form' | 'login' = 'login_form'
      let exchange = await open(request.url)
      let redirects = 0
      for (;;) {
        const target = redirectTarget(exchange)
        if (target !== undefined) {
          yield { name, exchange }
          if (isAnswer(target, request.redirectUri)) {
            yield await land(target, errand)
            return
          }
          redirects += 1
          checkFollow(target, redirects)
          exchange = await open(target)
          continue
        }
        redirects = 0
        const page = shownPage(exchange)
        const { form } = page
        const again = name === 'login'
        const message = again ? page.alert || 'the server shows the login form again' : undefined
        yield { name, exchange, ...(message !== undefined && form && { note: message }) }
        if (!form) throw pageError(exchange.response?.status, page)
        const answer = await askLogin(promptFor(request, message))
        signal.throwIfAborted()
        if (answer.kind === 'browser' && browser) {
          yield* browser.authorize(errand)
          return
        }
        if (answer.kind !== 'credentials') throw cancelled(message)
        checkForm(form, exchange.request.url, home)
        name = 'login'
        exchange = await submit(form, answer, exchange.request.url)
      }
    },
  }

  async function land(target: string, { request, signal }: Errand): Promise<Visit> {
    const name = 'authorization_response'
    if (!callback) return { name, landed: target, note: 'not visited: this side does not listen there' }
    const arrival = callback.receive(request.state, signal)
    // Its outcome is the exchange below, seen from this end.
    arrival.catch(() => undefined)
    const url = withoutFragment(target)
    const exchange = await send(
      { method: 'GET', url, headers: [['accept', 'text/html']], body: new Uint8Array() },
      { signal },
    )
    return { name, exchange, landed: target }
  }
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0]!
}

function checkFollow(target: string, redirects: number): void {
  const refuse = (description: string) =>
    new OAuthError('invalid_response', { description, rule: 'RFC 9110 §15.4', evidence: target })
  if (redirects > MAX_REDIRECTS) throw refuse(`the server redirects more than ${MAX_REDIRECTS} times`)
  if (!/^https?:/i.test(target)) {
    throw refuse('the server redirects to an address that is neither the redirect_uri nor http')
  }
}
