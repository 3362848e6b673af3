import { TimeoutError } from '../protocol/errors.js'
import type { Exchange } from '../protocol/http/exchange.js'
import { text } from '../protocol/http/message.js'
import { deliveryTo } from '../protocol/oauth/authorization-request.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { Arrival, Callback } from './callback.js'
import type { UserAgent } from './user-agent.js'

/** The ports of the browser user agent. */
export interface BrowserParts {
  readonly callback: Callback
  /** The listener at the post_logout_redirect_uri, where it is not the same. */
  readonly logoutCallback?: Callback | undefined
  /** Opens the URL, unless the person passed `--no-open`. Never fails. */
  readonly open: (url: string) => Promise<void>
  /** Shows the URL to the person, before `open` is called. @param purpose such as `log in` */
  readonly show: (url: string, purpose: string) => void
  /** Shows the person a line about an answer that the flow ignored. */
  readonly note: (line: string) => void
  /**
   * Asks the person what the browser shows. Given for a request that is wrong on purpose: its answer may never come to
   * the redirect_uri. Rejects when the signal is aborted.
   */
  readonly witness?: (signal: AbortSignal) => Promise<Sight>
  /** Milliseconds to wait for the person. */
  readonly waitMs: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** The page that a person sees in the browser: an error, an address that is not the client's, or something else. */
export type Sight = 'error_page' | 'elsewhere' | 'unknown'

/** Returns the end of a flow that only the person saw. */
function seenError(sight: Sight): OAuthError {
  const rule = 'RFC 6749 §4.1.2.1'
  switch (sight) {
    case 'error_page':
      return new OAuthError('error_page', { description: 'the person sees an error page', rule })
    case 'elsewhere':
      return new OAuthError('sent_elsewhere', {
        description: 'the browser was sent to another address',
        rule,
      })
    default:
      return new OAuthError('unknown_page', {
        description: 'no answer came to the redirect_uri, and nobody reported an error page',
        rule,
      })
  }
}

const FOREIGN_ANSWER =
  'An answer without the state that was sent came to the redirect_uri. It was refused (RFC 6749 §10.12), and the flow keeps waiting.'

const ignoredAnswers = (count: number): string =>
  count === 1
    ? '1 answer without the state that was sent was refused'
    : `${count} answers without the state that was sent were refused`

/** The request at the redirect_uri as an exchange, recorded by the listener. */
function exchangeOf({ request, response, ms }: Arrival, at: number): Exchange {
  return {
    request: {
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: text(request.body),
    },
    response: { status: response.status, headers: response.headers, body: text(response.body) },
    wireBytes: { request: request.body.length, response: response.body.length },
    bodyBytes: response.body.length,
    ms: Math.round(ms * 10) / 10,
    at: new Date(at).toISOString(),
  }
}

/** Waits for the page that the person sees, which is never an answer to the client. */
async function sighted(sight: Promise<Sight>): Promise<never> {
  throw seenError(await sight)
}

/**
 * Creates the user agent for the person's own browser. The exchanges between the authorization request and its response happen in the browser and are
 * not recorded. The listener at the redirect_uri starts before the browser opens.
 */
export function createBrowserAgent(parts: BrowserParts): UserAgent {
  const { callback, logoutCallback = callback, open, show, note, witness, waitMs, now } = parts
  return {
    async *authorize({ request, signal, silent }) {
      const { url, state } = request
      const timeout = AbortSignal.timeout(waitMs)
      let ignored = 0
      const done = new AbortController()
      const until = AbortSignal.any([signal, timeout, done.signal])
      const arrival = callback.receive(state, until, {
        fragment: deliveryTo(request) === 'fragment',
        onForeign() {
          ignored += 1
          if (ignored === 1) note(FOREIGN_ANSWER)
        },
      })
      // The promise is awaited below. When the flow ends earlier, its rejection would be unhandled.
      arrival.catch(() => undefined)
      show(url, silent ? 'show if you are logged in' : 'log in')
      await open(url)
      yield { name: 'login_form', url, note: 'in your browser' }
      let arrived: Arrival
      try {
        arrived = await (witness ? Promise.race([arrival, sighted(witness(until))]) : arrival)
      } catch (error) {
        if (!timeout.aborted || signal.aborted) throw error
        if (witness) throw seenError('unknown')
        const hints = ['Wait longer:   --timeout 10m']
        if (ignored > 0) hints.unshift(ignoredAnswers(ignored))
        throw new TimeoutError(`nobody logged in within ${waitMs / 1000} s`, hints)
      } finally {
        done.abort()
      }
      const after = ignored === 0 ? '' : `; ${ignoredAnswers(ignored)}`
      yield { name: 'login', note: `in your browser${after}` }
      yield {
        name: 'authorization_response',
        exchange: exchangeOf(arrived, now()),
        landed: arrived.landed,
      }
    },
    async *logout({ request, signal }) {
      const { postLogoutRedirectUri: back, state, method } = request
      if (back === undefined || method === 'POST') {
        const missing = back === undefined ? 'without a post_logout_redirect_uri' : 'after a POST'
        throw new OAuthError('unknown_page', {
          description: `your own browser brings nothing back ${missing}`,
          rule: 'OpenID Connect RP-Initiated Logout §2',
        })
      }
      const timeout = AbortSignal.timeout(waitMs)
      const done = new AbortController()
      const until = AbortSignal.any([signal, timeout, done.signal])
      const arrival = logoutCallback.receive(state, until, { logoutAt: back })
      arrival.catch(() => undefined)
      show(request.url, 'log out')
      await open(request.url)
      yield { name: 'logout_request', url: request.url, note: 'in your browser' }
      try {
        const arrived = await arrival
        yield { name: 'logout_response', exchange: exchangeOf(arrived, now()), landed: arrived.landed }
      } catch (error) {
        if (!timeout.aborted || signal.aborted) throw error
        throw new TimeoutError(`the browser did not come back from the logout within ${waitMs / 1000} s`, [
          'Wait longer:   --timeout 10m',
        ])
      } finally {
        done.abort()
      }
    },
  }
}
