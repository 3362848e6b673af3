import { createHash } from 'node:crypto'

/**
 * Returns a source of the same bytes in every run, for transcripts that repeat. It is INSECURE on purpose: anyone who knows
 * the seed knows every code and token. The bytes are hashes of the seed and a counter.
 */
export function seededRandom(seed: number): (length: number) => Uint8Array {
  let block = Buffer.alloc(0)
  let count = 0
  return length => {
    const parts: Buffer[] = []
    let missing = length
    while (missing > 0) {
      if (block.length === 0)
        block = createHash('sha256').update(`oauth-lab seed ${seed} ${count++}`).digest()
      const part = block.subarray(0, missing)
      block = block.subarray(part.length)
      parts.push(part)
      missing -= part.length
    }
    return new Uint8Array(Buffer.concat(parts))
  }
}
