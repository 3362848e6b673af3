import { createHash } from 'node:crypto'

/** Remembers the ids of one-time messages: assertions (RFC 7521 §5.2) and DPoP proofs (RFC 9449 §11.1). */
export interface ReplayGuard {
  /**
   * Marks an id as used, in the turn of the event loop that looks it up: of many at once only one is the first. Call it
   * last, when everything else about the message was valid.
   * @param id unique together with its maker, such as `dpop <thumbprint> <jti>`
   * @param until when the message expires anyway: milliseconds since the epoch
   * @returns `full` when the guard holds as many unexpired ids as it may; refuse the message then
   */
  use(id: string, until: number): 'first' | 'again' | 'full'
  readonly size: number
}

/** Largest number of ids that are kept. */
const MAX_REPLAY_IDS = 100_000

const SWEEP_PAUSE = 1000

/**
 * Expired ids are swept out when the map has doubled since the last sweep, so that each use pays for two visits at
 * most; when it is full, at most once a second.
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
    // A new map: deleting one by one leaves holes behind.
    used = new Map([...used].filter(([, until]) => until > at))
    sweepSize = Math.min(limit, Math.max(1024, 2 * used.size))
    sweptAt = at
  }
  return {
    use(id, until) {
      const at = now()
      // A hash, so that every entry has the same size however long the id is.
      const key = createHash('sha256').update(id, 'utf8').digest('base64url')
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
