import { hash } from 'node:crypto'
import { createExpiringMap } from './bounded-maps.js'

/** A number of failed attempts within a window of time, or no limit. */
export type Rate = 'off' | { readonly attempts: number /** Milliseconds. */; readonly window: number }

interface Allowance {
  /** Infinity without a limit. */
  readonly attempts: number
  /** Time until the window of the key ends, in seconds. */
  readonly resetSeconds: number
}

/** Counts failed attempts by key. */
export interface RateLimit {
  left(key: string): Allowance
  /** @param owner the network whose counters are pushed out by too many of its own. Default: the key. */
  count(key: string, owner?: string): void
}

/** Most keys that are counted for an owner. */
const MAX_KEYS = 100_000

/** Most bytes of them. */
const MAX_BYTES = 32 * 1024 * 1024

/** Keys contain text that people typed, of any length. A digest bounds their size. */
export const keyDigest = (key: string) => hash('sha256', key.toWellFormed(), 'base64')

interface Window {
  readonly since: number
  failures: number
}

/**
 * Makes a limit by key. The window of a key begins with its first failure and ends by the server's clock. We wrote our
 * own because libraries use timers of their own and do not bound the number of keys.
 */
export function createRateLimit(rate: Rate, { now }: { readonly now: () => number }): RateLimit {
  if (rate === 'off') {
    return { left: () => ({ attempts: Number.POSITIVE_INFINITY, resetSeconds: 0 }), count() {} }
  }
  const { attempts, window } = rate
  const windows = createExpiringMap<Window>({ lifetime: window, limit: MAX_KEYS, maxBytes: MAX_BYTES, now })
  const current = (name: string) => {
    const latest = windows.get(name)
    if (latest === undefined) return undefined
    const age = now() - latest.since
    // A negative age means that the clock was set back. Keeping the window would lock people out until it catches up.
    return age >= 0 && age < window ? latest : undefined
  }
  return {
    left(key) {
      const open = windows.size === 0 ? undefined : current(keyDigest(key))
      return {
        attempts: Math.max(0, attempts - (open?.failures ?? 0)),
        resetSeconds: Math.ceil(((open?.since ?? now()) + window - now()) / 1000),
      }
    },
    count(key, owner = key) {
      const name = keyDigest(key)
      const open = current(name)
      if (open === undefined) windows.set(name, { since: now(), failures: 1 }, keyDigest(owner))
      else open.failures++
    },
  }
}
