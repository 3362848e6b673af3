import type { HeaderList } from '../../http/message.js'
import { type Refusal, refusal } from './refusal.js'
import type { RequestRate } from './settings.js'

/** Counts the requests of the one user of a lab. */
export interface RateBudget {
  /**
   * Takes one request from the budget.
   * @returns the headers that report the rest of the budget, and the refusal when the budget was spent
   */
  take(): { readonly headers: HeaderList; readonly refused?: Refusal }
}

/** The error code that the service sends with 429. */
const TOO_MANY = 971

/**
 * Creates a budget of requests. Its window starts with the first request and ends by the lab's clock. A spent budget refuses all requests until then.
 */
export function createRateBudget(rate: RequestRate, now: () => number): RateBudget {
  if (rate === 'off') return { take: () => ({ headers: [] }) }
  const { attempts, window } = rate
  const seconds = window / 1000
  let since = Number.NEGATIVE_INFINITY
  let taken = 0
  return {
    take() {
      const at = now()
      // A clock that was set back starts a new window.
      if (at >= since + window || at < since) {
        since = at
        taken = 0
      }
      const refuse = taken >= attempts
      if (!refuse) taken++
      const left = Math.ceil((since + window - at) / 1000)
      const headers: HeaderList = [
        ['ratelimit', `"default";r=${attempts - taken};t=${left}`],
        ['ratelimit-policy', `"default";q=${attempts};w=${seconds}`],
      ]
      if (!refuse) return { headers }
      const message = `More than ${attempts} requests per ${seconds} seconds reached. Please wait and consider throttling your request speed`
      return { headers, refused: refusal(429, TOO_MANY, message, [['retry-after', String(left)]]) }
    },
  }
}
