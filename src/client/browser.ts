import { TimeoutError } from '../errors.js'
import type { Exchange } from '../http/exchange.js'
import { text } from '../http/message.js'
import type { Arrival, Callback } from './callback.js'
import { answersInFragment, type UserAgent } from './user-agent.js'

/** The ports of the browser user agent. */
export interface BrowserParts {
  readonly callback: Callback
  /** Opens the URL, unless the person passed `--no-open`. Never fails. */
  readonly open: (url: string) => Promise<void>
  /** Shows the URL to the person, before `open` is called. */
  readonly show: (url: string) => void
  /** Shows the person a line about an answer that the flow ignored. */
  readonly note: (line: string) => void
  /** Milliseconds to wait for the person. */
  readonly waitMs: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
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

/**
 * Creates the user agent for the person's own browser. The exchanges between the authorization request and its response happen in the browser and are
 * not recorded. The listener at the redirect_uri starts before the browser opens.
 */
export function createBrowserAgent({ callback, open, show, note, waitMs, now }: BrowserParts): UserAgent {
  return {
    async *authorize({ request, signal }) {
      const { url, state } = request
      const timeout = AbortSignal.timeout(waitMs)
      let ignored = 0
      const arrival = callback.receive(state, AbortSignal.any([signal, timeout]), {
        fragment: answersInFragment(request),
        onForeign() {
          ignored += 1
          if (ignored === 1) note(FOREIGN_ANSWER)
        },
      })
      // The promise is awaited below. When the flow ends earlier, its rejection would be unhandled.
      arrival.catch(() => undefined)
      show(url)
      await open(url)
      yield { name: 'login_form', url, note: 'in your browser' }
      let arrived: Arrival
      try {
        arrived = await arrival
      } catch (error) {
        if (!timeout.aborted || signal.aborted) throw error
        const hints = ['Wait longer:   --timeout 10m']
        if (ignored > 0) hints.unshift(ignoredAnswers(ignored))
        throw new TimeoutError(`nobody logged in within ${waitMs / 1000} s`, hints)
      }
      const after = ignored === 0 ? '' : `; ${ignoredAnswers(ignored)}`
      yield { name: 'login', note: `in your browser${after}` }
      yield {
        name: 'authorization_response',
        exchange: exchangeOf(arrived, now()),
        landed: arrived.landed,
      }
    },
  }
}
