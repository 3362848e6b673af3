import { TimeoutError } from '../errors.js'
import type { Exchange } from '../http/exchange.js'
import { text } from '../http/message.js'
import type { Arrival, Callback } from './callback.js'
import { answersInFragment, type UserAgent } from './user-agent.js'

/** The parts that the person's own browser is reached through. */
export interface BrowserParts {
  readonly callback: Callback
  /** Opens the URL, or does not: `--no-open`. Never fails. */
  readonly open: (url: string) => Promise<void>
  /** Shows the person the address, before anything is opened. */
  readonly show: (url: string) => void
  /** Milliseconds to wait for the person. */
  readonly waitMs: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** The request at the redirect_uri as this side of it saw it. */
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
 * The person's own browser as user agent. What happens between the authorization request and the answer is not
 * seen from here; the listener is ready before the browser is.
 */
export function createBrowserAgent({ callback, open, show, waitMs, now }: BrowserParts): UserAgent {
  return {
    async *authorize({ request, signal }) {
      const { url, state } = request
      const patience = AbortSignal.timeout(waitMs)
      const arrival = callback.receive(state, AbortSignal.any([signal, patience]), {
        fragment: answersInFragment(request),
      })
      // Awaited below; a flow that ends before has no use for it.
      arrival.catch(() => undefined)
      show(url)
      await open(url)
      yield { name: 'login_form', url, note: 'in your browser' }
      let arrived: Arrival
      try {
        arrived = await arrival
      } catch (error) {
        if (!patience.aborted || signal.aborted) throw error
        throw new TimeoutError(`nobody logged in within ${waitMs / 1000} s`, ['Wait longer:   --timeout 10m'])
      }
      yield { name: 'login', note: 'in your browser' }
      yield {
        name: 'authorization_response',
        exchange: exchangeOf(arrived, now()),
        landed: arrived.landed,
      }
    },
  }
}
