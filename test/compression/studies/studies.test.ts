import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  csrfOf,
  echoing,
  weighGuesses,
  withCsrf,
  wrongGuesses,
} from '../../../src/compression/studies/breach.js'
import { CODECS, measureBudget } from '../../../src/compression/studies/budget.js'
import { createSharedCache } from '../../../src/compression/studies/shared-cache.js'
import { type HeaderList, header } from '../../../src/http/message.js'

describe('measureBudget', () => {
  it('returns the bytes of every codec, and a time', async () => {
    const results = await measureBudget(Buffer.alloc(2048, 'a'), { spend: 0 })
    const sizes = Object.fromEntries(results.map(({ name, bytes }) => [name, bytes]))
    expect(sizes).toMatchObject({ raw: 2048, 'gzip 1, flush': 48, 'gzip 1': 41, 'br 11': 11 })
    expect(results).toHaveLength(CODECS.length)
    expect(results.every(({ us, runs }) => us >= 0 && runs >= 1)).toBe(true)
  })

  it('accepts an empty body', async () => {
    const results = await measureBudget(new Uint8Array(), { spend: 0 })
    expect(results[0]).toMatchObject({ name: 'raw', bytes: 0 })
    expect(String(gunzipSync(await CODECS[1]!.encode(new Uint8Array())))).toBe('')
  })

  it('stops when its patience ends', async () => {
    let time = 0
    const clock = () => {
      time += 10
      return time
    }
    const [raw] = await measureBudget(Buffer.from('a'), { clock, spend: 60, codecs: CODECS.slice(0, 1) })
    expect(raw).toMatchObject({ us: 10_000, runs: 2 })
  })
})

describe('a shared cache', () => {
  const origin = async (headers: HeaderList) => {
    const coding = header({ headers }, 'accept-encoding') ?? 'raw'
    return { headers: [['Vary', 'Accept-Encoding'] as const], coding }
  }
  const through = async (heeds: boolean, ...offers: (string | undefined)[]) => {
    const cache = createSharedCache(origin, heeds)
    const came: string[] = []
    for (const offer of offers) {
      const { answer, from } = await cache(offer === undefined ? [] : [['accept-encoding', offer]])
      came.push(`${from} ${answer.coding}`)
    }
    return came
  }

  it('keeps variants byte for byte apart when it honours Vary', async () => {
    expect(await through(true, 'gzip', undefined, 'GZIP', 'gzip')).toEqual([
      ...['miss gzip', 'miss raw', 'miss GZIP', 'hit gzip'],
    ])
  })

  it('gives the first answer to everybody when it ignores Vary', async () => {
    expect(await through(false, 'gzip', undefined, 'br')).toEqual(['miss gzip', 'hit gzip', 'hit gzip'])
  })

  it('keeps no answer with Vary: *', async () => {
    const cache = createSharedCache(async () => ({ headers: [['Vary', '*'] as const] }), true)
    await cache([])
    expect((await cache([])).from).toBe('miss')
  })
})

describe('BREACH', () => {
  const value = 'kT3vZq8LmNp2RsX4yBcD6fGhJ1wQe5uI7oA9zV0nMb-'
  const page = `<form method="post">\n<input type="hidden" name="csrf" value="${value}">\n</form>`

  it('reads and replaces the csrf value of a page', () => {
    expect(csrfOf(page)).toBe(value)
    expect(csrfOf(withCsrf(page, 'other$&'))).toBe('other$&')
    expect(csrfOf('<form></form>')).toBeUndefined()
    expect(echoing(page, 'guess')).toContain('guess')
  })

  it('makes wrong guesses that differ from each other', () => {
    const wrong = wrongGuesses(value, 6)
    expect(new Set([value, ...wrong]).size).toBe(7)
    expect(wrong.every(each => each.length === value.length)).toBe(true)
  })

  it.each(['gzip', 'br'] as const)('gives a fixed value away in %s, and not a masked one', async coding => {
    const guesses = { right: value, wrong: wrongGuesses(value, 6), coding }
    const fixed = await weighGuesses(async () => page, { ...guesses, pages: 1 })
    expect(fixed).toMatchObject({ givesAway: true })
    let n = 0
    const another = async () => withCsrf(page, wrongGuesses(value, 40)[10 + (n++ % 30)]!)
    const masked = await weighGuesses(another, { ...guesses, pages: 5 })
    expect(masked).toMatchObject({ givesAway: false })
  })
})
