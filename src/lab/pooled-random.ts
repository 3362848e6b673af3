import { randomBytes, randomFillSync } from 'node:crypto'

/** Bytes that are asked of the system at once. */
const POOL_BYTES = 4096

/** More than this is no business of the pool. */
const MAX_POOLED = 256

/**
 * Unpredictable bytes, as from `randomBytes`. Asking the system costs more than ten small requests are worth, so a
 * pool is filled at once, at the first use, as Node itself does for `randomUUID`. Bytes that were handed out are wiped
 * from it.
 */
export function pooledRandom(): (length: number) => Uint8Array {
  const pool = Buffer.alloc(POOL_BYTES)
  let used = POOL_BYTES
  return length => {
    if (length > MAX_POOLED) return randomBytes(length)
    if (used + length > POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const from = used
    used += length
    const bytes = Buffer.from(pool.subarray(from, used))
    pool.fill(0, from, used)
    return bytes
  }
}
