import { randomBytes, randomFillSync } from 'node:crypto'

/** Bytes that one call of the system fills. */
const POOL_BYTES = 4096

/** Largest request that the pool serves, in bytes. */
const MAX_POOLED = 256

/**
 * Returns a source of unpredictable bytes, as from `randomBytes`. A call of the system for each few bytes would be slow, so
 * the first use fills a pool, as Node does for `randomUUID`. Bytes that were handed out are wiped from the pool.
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
