import type { HeaderList } from '../../http/message.js'
import { type Refusal, refusal } from './refusal.js'
import type { RequestRate } from './settings.js'

/** Counts the requests of the one user of a lab. */
export interface RateBudget {
  /**
   * Takes one request.
   * @returns the headers that report the rest of the budget, and the refusal when nothing was left
   */
  take(): { readonly headers: HeaderList; readonly refused?: Refusal }
}

/** The code that clients have seen with it. */
const TOO_MANY = 971

/**
 * A budget of requests. Its window begins with the first request, ends by the lab's clock, and refuses everything
 * once it is spent.
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
