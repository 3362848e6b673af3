import { createHash } from 'node:crypto'

/** The same bytes in every run, hashes of seed and counter. INSECURE on purpose: the seed reveals every code and token. */
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
