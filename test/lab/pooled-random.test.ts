import { describe, expect, it } from 'vitest'
import { pooledRandom } from '../../src/lab/lab.js'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('pooled random bytes', () => {
  it('returns as many bytes as requested, and never the same ones, over many fillings', () => {
    const random = pooledRandom()
    const lengths = Array.from({ length: 3000 }, (_, i) => 16 + (i % 48))
    const made = lengths.map(length => random(length))
    expect(made.map(each => each.length)).toEqual(lengths)
    expect(new Set(made.map(hex)).size).toBe(made.length)
    expect(made.map(hex)).not.toContainEqual(expect.stringMatching(/^0+$/))
  })

  it('returns bytes that later calls do not change', () => {
    const random = pooledRandom()
    const first = random(32)
    const before = hex(first)
    for (let i = 0; i < 500; i++) random(32)
    expect(hex(first)).toBe(before)
    first.fill(0)
    expect(hex(random(32))).not.toMatch(/^0+$/)
  })

  it('returns no byte, few and many', () => {
    const random = pooledRandom()
    for (const length of [0, 1, 256, 257, 4096, 100_000]) expect(random(length)).toHaveLength(length)
    expect(hex(random(100_000))).not.toContain('0'.repeat(64))
  })
})
