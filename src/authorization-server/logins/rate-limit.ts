import { createHash } from 'node:crypto'
import { createExpiringMap } from '../stores/expiring-map.js'

/** A number of attempts within a time, or no limit. */
export type Rate = 'off' | { readonly attempts: number /** Milliseconds. */; readonly window: number }

/** The decision on an attempt. */
export type RateVerdict = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number }

/** Counts attempts by key. */
export interface RateLimit {
  /** Takes an attempt before it is made, so that parallel ones are all counted. */
  take(key: string): RateVerdict
  /** Gives an attempt back, when it turns out not to be one to limit: a right password. */
  giveBack(key: string): void
}

/** Largest number of keys that are counted. */
const MAX_KEYS = 100_000

interface Window {
  readonly since: number
  taken: number
}

/**
 * A limit by key. The window of a key begins with its first attempt, and it ends by the server's own clock: a
 * library with timers of its own would not, nor would it bound the number of keys.
 */
export function createRateLimit(rate: Rate, { now }: { readonly now: () => number }): RateLimit {
  if (rate === 'off') return { take: () => ({ ok: true }), giveBack() {} }
  const { attempts, window } = rate
  const windows = createExpiringMap<Window>({ lifetime: window, limit: MAX_KEYS, now })
  // Keys hold what people typed, of any length.
  const short = (key: string) => createHash('sha256').update(key.toWellFormed()).digest('base64')
  const current = (key: string) => {
    const found = windows.get(key)
    if (found === undefined) return undefined
    const age = now() - found.since
    // A clock that was set back would lock people out until it has caught up.
    return age >= 0 && age < window ? found : undefined
  }
  return {
    take(key) {
      const name = short(key)
      const found = current(name)
      if (found === undefined) {
        windows.set(name, { since: now(), taken: 1 })
        return { ok: true }
      }
      if (found.taken >= attempts) {
        return { ok: false, retryAfterSeconds: Math.ceil((found.since + window - now()) / 1000) }
      }
      found.taken++
      return { ok: true }
    },
    giveBack(key) {
      const found = current(short(key))
      if (found !== undefined && found.taken > 0) found.taken--
    },
  }
}
