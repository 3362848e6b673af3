import { createCookieJar, type SameSiteContext } from '../../client/cookies.js'
import type { LoginAnswer } from '../../client/login.js'
import { type ConfirmForm, fillForm, type LoginForm } from '../../client/login-page.js'
import { checkFollow, redirectTarget, withoutFragment } from '../../client/page-visitor.js'
import type { Exchange, Send } from '../../protocol/http/exchange.js'
import { encodeForm, type FormPairs } from '../../protocol/http/form.js'
import { bytes, type HeaderList, type HttpRequest, header, splitUrl } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'

/** A person's account at the lab. */
export type Account = Omit<LoginAnswer & { kind: 'credentials' }, 'kind'>

/** The page that a request comes from. */
export interface Origin {
  /** Absent: the person typed the address, or opened it from a mail. */
  readonly from?: Exchange
  /** True inside a frame of that page. */
  readonly framed?: true
  /** The content coding that the browser offers. Absent: none. */
  readonly coding?: 'gzip'
}

/** The way in which a form is sent. */
export interface Manner {
  /** True inside a frame of the page that holds it. */
  readonly framed?: true
  /** The text that the person types into the form. */
  readonly typed?: string
  /** The decision that a person at a real browser has to make, as a sentence. */
  readonly advice?: string
}

/** The user agent of one person. `send` is for the person's own programs: it has no cookies. */
export interface Browser {
  readonly send: Send
  /** Opens an address; from a page, the page itself goes there. */
  open(url: string, origin?: Origin): Promise<Exchange>
  /** Follows the redirect of an answer. Returns undefined when the answer is no redirect. */
  follow(exchange: Exchange): Promise<Exchange | undefined>
  /** Sends a form of a page. */
  post(action: string, fields: FormPairs, from: Exchange, manner?: Manner): Promise<Exchange>
  /** Types an account into the login form of a page, and sends the form. */
  logIn(form: LoginForm, account: Account, from: Exchange): Promise<Exchange>
  press(form: ConfirmForm, from: Exchange, framed?: true): Promise<Exchange>
  /** The last answer that this person received, by browser or program. */
  last(): Exchange | undefined
}

const hostOf = (url: string): string => new URL(url).hostname

/**
 * True when both addresses are of one site. A port is no part of a site (HTML, "schemelessly same site"); the hosts of a
 * lab have no registrable domain in common.
 */
function isSameSite(a: string, b: string): boolean {
  return hostOf(a) === hostOf(b)
}

/** The Referer header of a request from a page (Referrer Policy §8.3). The default policy is that of browsers. */
export function refererOf(page: Exchange, target: string): HeaderList {
  const policy = (page.response && header(page.response, 'referrer-policy')) ?? ''
  const whole = withoutFragment(page.request.url)
  const { origin } = splitUrl(whole)
  const same = origin === splitUrl(target).origin
  const downgrade = whole.startsWith('https:') && target.startsWith('http:')
  if (policy === 'unsafe-url') return [['referer', whole]]
  if (policy === 'no-referrer' || downgrade) return []
  if (policy === 'no-referrer-when-downgrade') return [['referer', whole]]
  if (policy === 'origin' || policy === 'strict-origin') return [['referer', `${origin}/`]]
  if (same) return [['referer', whole]]
  return policy === 'same-origin' ? [] : [['referer', `${origin}/`]]
}

/**
 * Makes a browser without a window: it keeps cookies of all sites, sends Referer and Origin, and follows redirects one by
 * one, as browsers do.
 * @param now milliseconds since the epoch, for the expiry of cookies
 */
export function createBrowser(network: Send, now: () => number, signal: AbortSignal): Browser {
  const jar = createCookieJar(now)
  let last: Exchange | undefined
  let hops = 0

  const send: Send = async request => {
    signal.throwIfAborted()
    last = await network(request, { signal })
    return last
  }

  async function visit(typed: HttpRequest, { from, framed, coding }: Origin): Promise<Exchange> {
    // Browsers take dots out of the path, and resolve the host (URL standard).
    const request = { ...typed, url: new URL(typed.url).href }
    const crossSite = from !== undefined && !isSameSite(from.request.url, request.url)
    const context: SameSiteContext = !crossSite
      ? 'strict'
      : framed || request.method !== 'GET'
        ? 'none'
        : 'lax'
    const referer = from === undefined ? [] : refererOf(from, request.url)
    const exchange = await send({
      ...request,
      headers: [
        ['accept', 'text/html'],
        ...(coding === undefined ? [] : [['accept-encoding', coding] as const]),
        ...request.headers,
        ...referer,
        ...jar.header(request.url, context),
      ],
    })
    if (exchange.response) jar.store(request.url, exchange.response)
    return exchange
  }

  const post: Browser['post'] = (action, fields, from, { framed } = {}) => {
    hops = 0
    return visit(
      {
        method: 'POST',
        url: action,
        headers: [
          ['content-type', 'application/x-www-form-urlencoded'],
          ['origin', splitUrl(from.request.url).origin],
        ],
        body: bytes(encodeForm(fields)),
      },
      { from, ...(framed && { framed }) },
    )
  }

  return {
    send,
    open(url, origin = {}) {
      hops = 0
      const address = withoutFragment(url)
      return visit({ method: 'GET', url: address, headers: [], body: new Uint8Array() }, origin)
    },
    async follow(exchange) {
      const target = redirectTarget(exchange)
      if (target === undefined) return undefined
      hops += 1
      checkFollow(target, hops)
      const url = withoutFragment(target)
      return visit({ method: 'GET', url, headers: [], body: new Uint8Array() }, {})
    },
    post,
    logIn: (form, { username, password }, from) =>
      post(form.action, fillForm(form, username, password), from),
    press: (form, from, framed) => post(form.action, form.fields, from, defined({ framed })),
    last: () => last,
  }
}
