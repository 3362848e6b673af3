import { TimeoutError, TransportError } from '../protocol/errors.js'
import { isUrl } from '../protocol/http/address.js'
import type { Exchange, Send } from '../protocol/http/exchange.js'
import { encodeForm, type FormPairs } from '../protocol/http/form.js'
import { bytes, type Header, type HttpRequest, header, mediaType } from '../protocol/http/message.js'
import { advice } from '../protocol/oauth/check.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { Callback } from './callback.js'
import { type CarriedForm, carriedForm } from './carried-form.js'
import type { CookieJar, SameSiteContext } from './cookies.js'
import { type LogoutPage, readLogoutPage } from './logout-page.js'
import { pageError } from './page-error.js'
import { checkFollow, shownPage, withoutFragment } from './page-visitor.js'
import type { LogoutTask, LogoutVisit } from './user-agent.js'

/** The parts of a headless logout. */
export interface LogoutParts {
  readonly send: Send
  /** The cookies of the session that is to end. */
  readonly jar: CookieJar
  /** The listener at the post_logout_redirect_uri. Absent when this program cannot listen at that address. */
  readonly callback?: Callback | undefined
}

const RULE = 'OpenID Connect RP-Initiated Logout §2'

/** Most pages with a question, and most redirects in a row. */
const MAX_PAGES = 5

/** True when `target` is the address to come back to, with any parameters. */
function isReturn(target: string, address: string | undefined): boolean {
  if (address === undefined || !isUrl(address) || !isUrl(target)) return false
  const [a, b] = [new URL(target), new URL(address)]
  return a.origin === b.origin && a.protocol === b.protocol && a.host === b.host && a.pathname === b.pathname
}

/** Returns the address that a redirect leads to; undefined for other answers. @throws OAuthError */
function redirectOf({ request, response }: Exchange): string | undefined {
  if (!response || ![301, 302, 303, 307, 308].includes(response.status)) return undefined
  const location = header(response, 'location')
  const refuse = (description: string) =>
    new OAuthError('invalid_response', { description, rule: 'RFC 9110 §15.4' })
  if (location === undefined || !isUrl(location, request.url)) {
    throw refuse(`the server answered ${response.status} without an address to go to`)
  }
  return isUrl(location) ? location : new URL(location, request.url).href
}

/** Returns the page of an answer; undefined for an answer that is no HTML. */
function pageOf({ request, response }: Exchange): LogoutPage | undefined {
  if (!response || mediaType(response) !== 'text/html') return undefined
  return readLogoutPage(response.body, request.url)
}

/** Returns the refusal that an answer shows (RP-Initiated Logout §4: errors are for the person). */
function refusalOf(exchange: Exchange): OAuthError {
  const { code, description } = pageError(exchange.response?.status, shownPage(exchange))
  return new OAuthError(code, { description, rule: RULE })
}

/** Describes a page after a logout. */
function noteOf({ name, frames }: LogoutPage): string {
  const framed = frames.length === 0 ? '' : `, with ${frames.length === 1 ? 'a frame' : 'frames'} for clients`
  return name === '' ? `the logout page${framed}` : `the page “${name}”${framed}`
}

/**
 * Logs out as a browser without scripts: follows redirects, presses the button of a question, loads the frames of the
 * logout page, and goes on to the post_logout_redirect_uri.
 */
export async function* logOutHeadless(
  { send, jar, callback }: LogoutParts,
  { request, signal }: LogoutTask,
): AsyncGenerator<LogoutVisit, void, void> {
  const { endpoint, postLogoutRedirectUri: back } = request
  const home = new URL(endpoint).origin

  const visit = async (message: HttpRequest, context: SameSiteContext): Promise<Exchange> => {
    const headers = [
      ['accept', 'text/html'] as const,
      ...message.headers,
      ...jar.header(message.url, context),
    ]
    const exchange = await send({ ...message, headers }, { signal })
    if (exchange.response) jar.store(message.url, exchange.response)
    return exchange
  }
  const open = (address: string, context: SameSiteContext, headers: readonly Header[] = []) =>
    visit({ method: 'GET', url: withoutFragment(address), headers, body: new Uint8Array() }, context)
  const post = (url: string, pairs: FormPairs, context: SameSiteContext, headers: readonly Header[]) =>
    visit(
      {
        method: 'POST',
        url,
        headers: [['content-type', 'application/x-www-form-urlencoded'], ...headers],
        body: bytes(encodeForm(pairs)),
      },
      context,
    )

  // The form stands on a page of the client: cookies with SameSite=Lax stay away from a POST of another site.
  let exchange = await (request.method === 'POST'
    ? post(endpoint, request.pairs, 'none', [['origin', 'null']])
    : open(request.url, 'lax'))
  let name: LogoutVisit['name'] = 'logout_request'
  /** The origin of the page whose form is on its way. The first form stands on a page of the client. */
  let formOrigin: string | undefined
  let redirects = 0
  let pages = 0
  for (;;) {
    const target = redirectOf(exchange)
    if (target !== undefined) {
      const returns = isReturn(target, back)
      yield { name, exchange, ...(!returns && { repeats: true as const }) }
      const form = carriedForm(exchange, target, formOrigin)
      if (returns) {
        yield await land(target, { form })
        return
      }
      redirects += 1
      checkFollow(target, redirects)
      exchange = form ? await visit(form.message, form.context) : await open(target, 'lax')
      continue
    }
    redirects = 0
    const page = pageOf(exchange)
    if ((exchange.response?.status ?? 0) >= 400 || page === undefined) {
      yield { name, exchange }
      throw refusalOf(exchange)
    }
    const { confirm } = page
    if (confirm !== undefined && new URL(confirm.action).origin === home && pages < MAX_PAGES) {
      yield {
        name,
        exchange,
        note: `asks “${page.name}”: presses “${confirm.button ?? 'nothing, a script sends the form'}”`,
        ...(name === 'logout_confirmation' && { repeats: true as const }),
      }
      pages += 1
      name = 'logout_confirmation'
      const from = withoutFragment(exchange.request.url)
      formOrigin = home
      exchange = await post(confirm.action, confirm.fields, 'strict', [
        ['origin', home],
        ['referer', from],
      ])
      continue
    }
    yield { name, exchange, note: page.alert ?? noteOf(page) }
    yield* framesOf(page, exchange)
    const onward = page.links.find(each => isReturn(each, back))
    if (onward !== undefined) yield await land(onward, { note: 'the logout page leads on' })
    else if (page.hasForm) throw unreadForm(page)
    return
  }

  /** Loads the frames of a logout page, which inform clients of the logout (Front-Channel Logout §3). */
  async function* framesOf({ frames }: LogoutPage, page: Exchange): AsyncGenerator<LogoutVisit, void, void> {
    for (const [i, url] of frames.entries()) {
      const name = 'frontchannel_logout'
      const repeats = i < frames.length - 1 && { repeats: true as const }
      const sameSite = new URL(url).origin === new URL(page.request.url).origin
      try {
        const exchange = await open(url, sameSite ? 'strict' : 'none', [['referer', `${home}/`]])
        const status = exchange.response?.status ?? 0
        const loaded = advice(
          'frame',
          status >= 200 && status < 300,
          'OpenID Connect Front-Channel Logout §2',
          `status ${status}`,
        )
        yield { name, exchange, checks: [loaded], ...repeats }
      } catch (error) {
        // A frame that does not load stops neither a browser nor the logout.
        if (signal.aborted || !(error instanceof TransportError || error instanceof TimeoutError)) throw error
        const rule = 'OpenID Connect Front-Channel Logout §2'
        yield { name, url, checks: [advice('frame', false, rule, error.message)], ...repeats }
      }
    }
  }

  /** Brings the browser back to the client. */
  async function land(
    landed: string,
    { note, form }: { readonly note?: string; readonly form?: CarriedForm | undefined },
  ): Promise<LogoutVisit> {
    const name = 'logout_response'
    if (!callback || back === undefined) {
      return { name, landed, note: 'not visited: this program does not listen there' }
    }
    const visited = new AbortController()
    const arrival = callback.receive(request.state, AbortSignal.any([signal, visited.signal]), {
      logoutAt: back,
    })
    // The exchange below records the same visit from the other end.
    arrival.catch(() => undefined)
    const message = form?.message ?? { method: 'GET', headers: [], body: new Uint8Array() }
    const headers: readonly Header[] = [['accept', 'text/html'], ...message.headers]
    const exchange = await send({ ...message, url: withoutFragment(landed), headers }, { signal })
    visited.abort()
    const shown = form === undefined ? note : 'the redirect has the form sent to the client as well'
    return { name, exchange, landed, ...(shown !== undefined && { note: shown }) }
  }
}

function unreadForm({ name }: LogoutPage): OAuthError {
  const named = name === '' ? 'a page' : `the page “${name}”`
  return new OAuthError('unknown_page', {
    description: `the server shows ${named}, whose form has no one button that logs out; --browser takes it`,
    rule: RULE,
  })
}
