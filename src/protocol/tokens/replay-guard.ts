import { createHash } from 'node:crypto'
import { createKeptMap } from '../bounded-maps.js'

/** A memory of used one-time messages: assertions (RFC 7521 §5.2) and DPoP proofs (RFC 9449 §11.1). */
export interface ReplayGuard {
  /**
   * Marks an id as used. The check and the mark are one synchronous step, so only one of parallel uses is `first`. Call
   * it after all other checks, so that a refused message stays unused.
   * @param id unique among all makers, such as `dpop <thumbprint> <jti>`
   * @param until the message's own expiry, in milliseconds since the epoch
   * @param owner the client that sent the message. It is not the key that signed it, because anyone makes keys.
   * @returns `full` when the owner has no room for another id; refuse the message then
   */
  use(id: string, until: number, owner: string): 'first' | 'again' | 'full'
  readonly size: number
}

/** Most ids of an owner in memory. */
const MAX_REPLAY_IDS = 100_000

/** Bytes of an id: its hash has 43 characters. */
const ID_BYTES = 128

/** Makes a replay guard. It forgets no id before its end. */
export function createReplayGuard(ports: {
  readonly now: () => number
  readonly limit?: number
}): ReplayGuard {
  const { now, limit = MAX_REPLAY_IDS } = ports
  const used = createKeptMap<number>({ limit, maxBytes: limit * ID_BYTES, now })
  return {
    use(id, until, owner) {
      // A hash gives every entry the same size, for ids of any length.
      const key = createHash('sha256').update(id).digest('base64url')
      if ((used.get(key) ?? Number.NEGATIVE_INFINITY) > now()) return 'again'
      return used.set(key, until, owner, until) ? 'first' : 'full'
    },
    get size() {
      return used.size
    },
  }
}
