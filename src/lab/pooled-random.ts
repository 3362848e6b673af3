import { randomBytes, randomFillSync } from 'node:crypto'

const POOL_BYTES = 4096

const MAX_POOLED = 256

/**
 * Unpredictable bytes from a pool, as Node does for `randomUUID`: a call of the system for each few bytes would be slow.
 * Bytes that were handed out are wiped.
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
