import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CODECS, measureBudget } from '../../../../src/servers/compression/studies/budget.js'

/** A clock that moves on by each of these milliseconds in turn, and by the last one from then on. */
function clockOf(...steps: number[]): () => number {
  let time = 0
  let call = 0
  return () => {
    time += steps[Math.min(call++, steps.length - 1)]!
    return time
  }
}
const raw = CODECS.slice(0, 1)
const letters = Buffer.alloc(2048, 'a')

describe('measureBudget', () => {
  it('returns the body bytes of every codec, and a time', async () => {
    const results = await measureBudget(letters, { spend: 0 })
    const sizes = Object.fromEntries(results.map(({ name, bytes }) => [name, bytes]))
    expect(sizes).toMatchObject({ raw: 2048, 'gzip 1, flush': 48, 'gzip 1': 41, 'br 11': 11 })
    expect(results).toHaveLength(CODECS.length)
    expect(results.map(({ name, note }) => [name, note])).toEqual(
      CODECS.map(({ name, note }) => [name, note]),
    )
    expect(results[0]).not.toHaveProperty('note')
    expect(results.every(({ us, runs }) => us >= 0 && runs === 1)).toBe(true)
  })

  it('accepts an empty body', async () => {
    const results = await measureBudget(new Uint8Array(), { spend: 0 })
    expect(results[0]).toMatchObject({ name: 'raw', bytes: 0 })
    expect(String(gunzipSync(await CODECS[1]!.encode(new Uint8Array())))).toBe('')
  })

  it('compares codecs that every decoder undoes, at rising levels', async () => {
    const text = Buffer.from(Array.from({ length: 2000 }, (_, n) => `${(n * n) % 1009}`).join(' '))
    const sizes = new Map<string, number>()
    for (const { name, encode } of CODECS) {
      const body = await encode(text)
      sizes.set(name, body.length)
      if (name.startsWith('gzip')) expect(gunzipSync(body).equals(text)).toBe(true)
      if (name.startsWith('br')) expect(brotliDecompressSync(body).equals(text)).toBe(true)
    }
    expect(sizes.get('gzip 9')).toBeLessThan(sizes.get('gzip 1')!)
    expect(sizes.get('br 11')).toBeLessThan(sizes.get('br 1')!)
  })

  it('takes the median of the runs, without the first one when there are more than two', async () => {
    const measured = async (...steps: number[]) => {
      const [first] = await measureBudget(letters, { clock: clockOf(...steps), codecs: raw })
      return [first?.us, first?.runs]
    }
    // The calls: start, and for each run its start, its end and the check of the time.
    expect(await measured(0, 0, 60, 0)).toEqual([60_000, 1])
    expect(await measured(10)).toEqual([10_000, 2])
    expect(await measured(0, 0, 40, 0, 0, 2, 0, 0, 30, 0)).toEqual([30_000, 2])
    expect(await measured(0, 0, 40, 0, 0, 2, 0, 0, 4, 0, 0, 30, 0)).toEqual([4000, 3])
    expect(await measured(0, 0, 59.9996, 0, 0, 60.0004, 0)).toEqual([60_000, 2])
  })

  it('runs a codec 50 times at most', async () => {
    const [first] = await measureBudget(letters, { clock: () => 0, codecs: raw })
    expect(first).toMatchObject({ us: 0, runs: 49 })
  })
})
