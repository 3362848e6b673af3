import type { HeaderList } from '../../../protocol/http/message.js'
import { type Refusal, refusal } from './refusal.js'
import type { RequestRate } from './settings.js'

/** The rest of a budget. */
export interface BudgetState {
  readonly headers: HeaderList
  /** The refusal of every request, when the budget is spent. */
  readonly refused?: Refusal
}

/** Counts the requests of the one user of a lab. */
export interface RateBudget {
  /** Returns the rest, and takes nothing. */
  state(): BudgetState
  /** Takes one request from the budget. The refusal means that nothing was left to take. */
  take(): BudgetState
}

/** The error code that the service sends with 429. */
const TOO_MANY = 971

/**
 * Creates a budget of requests. Its window starts with the first request and ends by the lab's clock. A spent budget refuses all requests until then.
 */
export function createRateBudget(rate: RequestRate, now: () => number): RateBudget {
  if (rate === 'off') return { state: () => ({ headers: [] }), take: () => ({ headers: [] }) }
  const { attempts, window } = rate
  const seconds = window / 1000
  let since = Number.NEGATIVE_INFINITY
  let taken = 0

  /** True when the window is over. A clock that was set back starts a new window. */
  const isOver = (at: number): boolean => at >= since + window || at < since

  function described(at: number, left: number): HeaderList {
    const wait = isOver(at) ? seconds : Math.ceil((since + window - at) / 1000)
    return [
      ['ratelimit', `"default";r=${left};t=${wait}`],
      ['ratelimit-policy', `"default";q=${attempts};w=${seconds}`],
    ]
  }

  function state(): BudgetState {
    const at = now()
    const left = isOver(at) ? attempts : attempts - taken
    const headers = described(at, left)
    if (left > 0) return { headers }
    const message = `More than ${attempts} requests per ${seconds} seconds reached. Please wait and consider throttling your request speed`
    const wait = String(Math.ceil((since + window - at) / 1000))
    return { headers, refused: refusal(429, TOO_MANY, message, [['retry-after', wait]]) }
  }

  return {
    state,
    take() {
      const before = state()
      if (before.refused) return before
      const at = now()
      if (isOver(at)) {
        since = at
        taken = 0
      }
      taken++
      return { headers: described(at, attempts - taken) }
    },
  }
}
