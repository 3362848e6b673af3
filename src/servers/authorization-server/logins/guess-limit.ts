import type { PasswordVerdict } from './passwords.js'
import { createRateLimit, type Rate, type RateLimit } from './rate-limit.js'
import { sourceOf } from './source.js'

/** An attempt to log in. */
export interface Attempt {
  /** The name that a password is tried for. The user may be unknown. */
  readonly username: string
  /** Address of the peer, when the request came through a socket. */
  readonly address: string | undefined
}

/** The result of a limited check. `limited`: the password was not checked. */
export type GuessVerdict =
  | { readonly kind: PasswordVerdict }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

/** Limits how often a password can be guessed. */
export interface GuessLimit {
  /**
   * Runs a check of a password. A check that could exceed the limit if all checks in flight failed waits for them, so
   * parallel guesses are all counted, and right passwords that come at once are not refused.
   */
  check(attempt: Attempt, check: () => Promise<PasswordVerdict>): Promise<GuessVerdict>
}

/** One of the limits that an attempt is under. */
interface Limited {
  readonly limit: RateLimit
  readonly key: string
}

/** The checks in flight under one key, and the attempts that wait for one of them to end. */
interface InFlight {
  checks: number
  readonly queue: (() => void)[]
}

/** The reason why a check may not begin now. */
type Obstacle =
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'in flight'; readonly key: string }

/** Most attempts that wait for checks in flight. */
const MAX_WAITING = 1000

/** The limits of a user from all sources and of a source for all users, as multiples of the limit of both together. */
const WIDE = 10

/**
 * Makes the limit of wrong passwords. `rate` applies to one user at one source. Ten times as many are allowed to one
 * user from all sources, against guesses from many addresses, and to one source for all users, against one password
 * tried for many users.
 */
export function createGuessLimit(rate: Rate, { now }: { readonly now: () => number }): GuessLimit {
  const wideRate = rate === 'off' ? rate : { ...rate, attempts: rate.attempts * WIDE }
  const narrow = createRateLimit(rate, { now })
  const wide = createRateLimit(wideRate, { now })
  const inFlight = new Map<string, InFlight>()
  let waiting = 0

  function limitsOf({ username, address }: Attempt): readonly Limited[] {
    const source = sourceOf(address)
    return [
      { limit: narrow, key: JSON.stringify(['both', username, source]) },
      { limit: wide, key: JSON.stringify(['user', username]) },
      { limit: wide, key: JSON.stringify(['source', source]) },
    ]
  }

  function obstacle(limits: readonly Limited[]): Obstacle | undefined {
    const left = limits.map(({ limit, key }) => ({ key, ...limit.left(key) }))
    const spent = left.filter(({ attempts }) => attempts === 0)
    if (spent.length > 0) {
      return { kind: 'limited', retryAfterSeconds: Math.max(...spent.map(each => each.resetSeconds)) }
    }
    const full = left.find(({ key, attempts }) => (inFlight.get(key)?.checks ?? 0) >= attempts)
    return full && { kind: 'in flight', key: full.key }
  }

  function begin(limits: readonly Limited[]): void {
    for (const { key } of limits) {
      const running = inFlight.get(key)
      if (running) running.checks++
      else inFlight.set(key, { checks: 1, queue: [] })
    }
  }

  /** Wakes the next attempt that waits under a key. One at a time: waking all at each end would cost their square. */
  function wakeNext(key: string): void {
    const running = inFlight.get(key)
    running?.queue.shift()?.()
    if (running?.checks === 0 && running.queue.length === 0) inFlight.delete(key)
  }

  function end(limits: readonly Limited[]): void {
    for (const { key } of limits) {
      inFlight.get(key)!.checks--
      wakeNext(key)
    }
  }

  async function wait(key: string): Promise<void> {
    waiting++
    await new Promise<void>(resolve => inFlight.get(key)!.queue.push(resolve))
    waiting--
  }

  return {
    async check(attempt, check) {
      const limits = limitsOf(attempt)
      let waitedFor: string | undefined
      for (let found = obstacle(limits); found !== undefined; found = obstacle(limits)) {
        const again = found.kind === 'in flight' && found.key === waitedFor
        // The place that this attempt was woken for goes to the next one.
        if (waitedFor !== undefined && !again) wakeNext(waitedFor)
        if (found.kind === 'limited') return found
        if (waiting >= MAX_WAITING) return { kind: 'busy' }
        waitedFor = found.key
        await wait(waitedFor)
      }
      begin(limits)
      try {
        const kind = await check()
        if (kind === 'wrong') for (const { limit, key } of limits) limit.count(key)
        return { kind }
      } finally {
        end(limits)
      }
    },
  }
}
