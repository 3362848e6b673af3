import { createHash } from 'node:crypto'

/** A memory of used one-time messages: assertions (RFC 7521 §5.2) and DPoP proofs (RFC 9449 §11.1). */
export interface ReplayGuard {
  /**
   * Marks an id as used. The check and the mark are one synchronous step, so only one of parallel uses is `first`. Call
   * it after all other checks, so that a refused message stays unused.
   * @param id unique among all makers, such as `dpop <thumbprint> <jti>`
   * @param until the message's own expiry, in milliseconds since the epoch
   * @returns `full` when the guard holds its limit of unexpired ids; refuse the message then
   */
  use(id: string, until: number): 'first' | 'again' | 'full'
  readonly size: number
}

/** Most ids in memory. */
const MAX_REPLAY_IDS = 100_000

const SWEEP_PAUSE = 1000

/**
 * Makes a replay guard. It drops expired ids when the map has doubled since the last sweep, so sweeps cost each use a
 * constant share. A full guard sweeps at most once a second.
 */
export function createReplayGuard(ports: {
  readonly now: () => number
  readonly limit?: number
}): ReplayGuard {
  const { now, limit = MAX_REPLAY_IDS } = ports
  let used = new Map<string, number>()
  let sweepSize = Math.min(limit, 1024)
  let sweptAt = Number.NEGATIVE_INFINITY
  const sweep = (at: number) => {
    // A new map, because deleting entries one by one leaves holes in the old map.
    used = new Map([...used].filter(([, until]) => until > at))
    sweepSize = Math.min(limit, Math.max(1024, 2 * used.size))
    sweptAt = at
  }
  return {
    use(id, until) {
      const at = now()
      // A hash gives every entry the same size, for ids of any length.
      const key = createHash('sha256').update(id).digest('base64url')
      if ((used.get(key) ?? Number.NEGATIVE_INFINITY) > at) return 'again'
      if (used.size >= sweepSize && Math.abs(at - sweptAt) >= SWEEP_PAUSE) sweep(at)
      if (used.size >= limit) return 'full'
      used.set(key, until)
      return 'first'
    },
    get size() {
      return used.size
    },
  }
}
