import { createHash } from 'node:crypto'
import { createExpiringMap } from '../stores/expiring-map.js'

/** A number of attempts within a window of time, or no limit. */
export type Rate = 'off' | { readonly attempts: number /** Milliseconds. */; readonly window: number }

/** The answer to an attempt: allowed, or refused until a number of seconds has passed. */
export type RateVerdict = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number }

/** Counts attempts by key. */
export interface RateLimit {
  /** Counts an attempt before it is made, so that parallel attempts are all counted. */
  take(key: string): RateVerdict
  /** Takes an attempt back that should not count, such as a right password. */
  giveBack(key: string): void
}

/** Most keys that are counted. */
const MAX_KEYS = 100_000

interface Window {
  readonly since: number
  taken: number
}

/**
 * Makes a limit by key. The window of a key begins with its first attempt and ends by the server's clock. We wrote
 * our own because libraries use timers of their own and do not bound the number of keys.
 */
export function createRateLimit(rate: Rate, { now }: { readonly now: () => number }): RateLimit {
  if (rate === 'off') return { take: () => ({ ok: true }), giveBack() {} }
  const { attempts, window } = rate
  const windows = createExpiringMap<Window>({ lifetime: window, limit: MAX_KEYS, now })
  // Keys contain text that people typed, of any length; a digest bounds their size.
  const short = (key: string) => createHash('sha256').update(key.toWellFormed()).digest('base64')
  const current = (key: string) => {
    const latest = windows.get(key)
    if (latest === undefined) return undefined
    const age = now() - latest.since
    // A negative age means that the clock was set back. Keeping the window would lock people out until it catches up.
    return age >= 0 && age < window ? latest : undefined
  }
  return {
    take(key) {
      const name = short(key)
      const open = current(name)
      if (open === undefined) {
        windows.set(name, { since: now(), taken: 1 })
        return { ok: true }
      }
      if (open.taken >= attempts) {
        return { ok: false, retryAfterSeconds: Math.ceil((open.since + window - now()) / 1000) }
      }
      open.taken++
      return { ok: true }
    },
    giveBack(key) {
      const open = current(short(key))
      if (open !== undefined && open.taken > 0) open.taken--
    },
  }
}
