import { isUrl } from '../protocol/http/address.js'
import type { Exchange, Send } from '../protocol/http/exchange.js'
import { encodeForm } from '../protocol/http/form.js'
import { bytes, type HttpRequest, header, mediaType } from '../protocol/http/message.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import { isJsonObject, parsedJson } from '../protocol/values.js'
import { type CookieJar, createCookieJar } from './cookies.js'
import type { LoginAnswer } from './login.js'
import {
  type CodeForm,
  type ConfirmForm,
  fillCode,
  fillForm,
  type LoginForm,
  type ReadPage,
  readPage,
} from './login-page.js'
import { unknownPage } from './page-error.js'

/** The most redirects in a row. A login needs fewer. */
const MAX_REDIRECTS = 10

/** The most pages to click through. A consent needs fewer. */
const MAX_PRESSES = 5

const passwordRule = 'RFC 6749 §10.11'

/** A browser without a window: it stores cookies, opens pages and sends forms. */
export interface PageVisitor {
  /** The origin of the first address. Passwords go to this origin only. */
  readonly home: string
  open(address: string): Promise<Exchange>
  /**
   * Types credentials into the form of a page and sends the form.
   * @throws OAuthError when the password would go to another origin, or into an address
   */
  submit(form: LoginForm, answer: LoginAnswer & { kind: 'credentials' }, from: Exchange): Promise<Exchange>
  /** Types a one-time code into the form of a page and sends the form. @throws as `submit` */
  enter(form: CodeForm, code: string, from: Exchange): Promise<Exchange>
  /** Sends the form of a page that needs nothing typed. @throws OAuthError when the form leads to another origin */
  press(form: ConfirmForm, from: Exchange): Promise<Exchange>
}

/**
 * Creates a visitor that starts at an address.
 * @param jar the cookies of earlier visits
 */
export function createPageVisitor(
  send: Send,
  begin: string,
  signal: AbortSignal,
  jar: CookieJar = createCookieJar(),
): PageVisitor {
  const home = new URL(begin).origin

  const visit = async (message: HttpRequest): Promise<Exchange> => {
    const headers = [['accept', 'text/html'] as const, ...message.headers, ...jar.header(message.url)]
    const exchange = await send({ ...message, headers }, { signal })
    if (exchange.response) jar.store(message.url, exchange.response)
    return exchange
  }
  const post = (action: string, from: Exchange, body: string): Promise<Exchange> =>
    visit({
      method: 'POST',
      url: action,
      headers: [
        ['content-type', 'application/x-www-form-urlencoded'],
        ['origin', home],
        ['referer', withoutFragment(from.request.url)],
      ],
      body: bytes(body),
    })
  return {
    home,
    open(address) {
      const url = withoutFragment(address)
      return visit({ method: 'GET', url, headers: [], body: new Uint8Array() })
    },
    async submit(form, answer, from) {
      checkForm(form, from.request.url, home)
      return post(form.action, from, encodeForm(fillForm(form, answer.username, answer.password)))
    },
    async enter(form, code, from) {
      checkForm(form, from.request.url, home)
      return post(form.action, from, encodeForm(fillCode(form, code)))
    },
    async press(form, from) {
      if (![form.action, from.request.url].every(url => new URL(url).origin === home)) {
        throw unknownPage(`a page at ${new URL(from.request.url).origin} that leads elsewhere`)
      }
      return post(form.action, from, encodeForm(form.fields))
    },
  }
}

/** Returns the address that a redirect leads to, or undefined when the response is not a redirect. @throws OAuthError */
export function redirectTarget({ request, response }: Exchange): string | undefined {
  if (!response || ![301, 302, 303, 307, 308].includes(response.status)) return undefined
  const location = header(response, 'location')
  if (location === undefined || !isUrl(location, request.url)) {
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
  // An absolute address stays byte for byte as the server wrote it.
  return isUrl(location) ? location : new URL(location, request.url).href
}

/** Returns the page of a response as a person would see it. */
export function shownPage({ request, response }: Exchange): ReadPage {
  if (!response) return { text: '' }
  const type = mediaType(response)
  if (type === 'text/html') return readPage(response.body, request.url)
  return /[/+]json$/.test(type) ? readJsonPage(response.body) : { text: response.body.slice(0, 300).trim() }
}

/**
 * Returns the note about pressing the button of a page, or undefined when the page has no form to confirm. @throws OAuthError after MAX_PRESSES pages
 */
export function pressing(
  { confirm }: ReadPage,
  status: number | undefined,
  before: number,
): string | undefined {
  if (!confirm || status !== 200) return undefined
  if (before >= MAX_PRESSES) throw unknownPage(`more than ${MAX_PRESSES} pages to click through`)
  return confirm.button === undefined ? 'sends on what a script would' : `presses “${confirm.button}”`
}

/** Refuses a form that would send the password to another origin than the authorization request, or in a URL. */
function checkForm(form: Pick<LoginForm, 'action' | 'method'>, pageUrl: string, home: string): void {
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

/** Returns a URL without its fragment. Browsers do not send the fragment. */
export function withoutFragment(url: string): string {
  return url.split('#', 1)[0]!
}

/** Checks that a redirect can be followed. @throws OAuthError after too many redirects, or for an address that is not http */
export function checkFollow(target: string, redirects: number): void {
  const refuse = (description: string) =>
    new OAuthError('invalid_response', { description, rule: 'RFC 9110 §15.4', evidence: target })
  if (redirects > MAX_REDIRECTS) throw refuse(`the server redirects more than ${MAX_REDIRECTS} times`)
  if (!/^https?:/i.test(target)) {
    throw refuse('the server redirects to an address that is neither the redirect_uri nor http')
  }
}

/** The longest text that is taken from a page, in characters. */
const MAX_TEXT = 300

/** A code, unlike the sentences that some frameworks put into `error`. */
const CODE = /^[\w.-]{1,80}$/

function textOf(...values: readonly unknown[]): string | undefined {
  const found = values.find(each => typeof each === 'string' && each.trim() !== '')
  return typeof found === 'string' ? found.trim().slice(0, MAX_TEXT).toWellFormed() : undefined
}

/**
 * Reads an error that a server shows to a browser as JSON: with the members of OAuth (RFC 6749 §5.2), of problem details (RFC 9457 §3.1), or of a
 * framework.
 */
function readJsonPage(body: string): ReadPage {
  const value = parsedJson(body)
  if (!isJsonObject(value)) return { text: body.slice(0, MAX_TEXT).trim() }
  const { error, error_description: described, detail, title, message } = value
  const inner = isJsonObject(error) ? error : {}
  const errorCode = typeof error === 'string' && CODE.test(error) ? error : undefined
  const named = errorCode === undefined ? error : undefined
  const text = textOf(described, detail, message, inner.message, title, named)
  if (errorCode === undefined) return { text: text ?? body.slice(0, MAX_TEXT).trim() }
  return { errorCode, text: text ?? 'the server gives no reason' }
}
