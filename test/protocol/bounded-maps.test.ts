import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createExpiringMap, createKeptMap } from '../../src/protocol/bounded-maps.js'
import { forAll } from '../support/for-all.js'

describe('an expiring map', () => {
  const map = (bounds: Partial<Parameters<typeof createExpiringMap>[0]> = {}) =>
    createExpiringMap<number | string>({ lifetime: 100, limit: 1000, maxBytes: 1e6, now: () => 0, ...bounds })

  it('keeps an entry for its lifetime, and drops it once many have come', () => {
    let now = 0
    const entries = map({ limit: 10_000, now: () => now })
    entries.set('a', 1, 'app')
    for (now = 1; now < 100; now++) entries.set(`x${now}`, now, 'app')
    expect(entries.get('a')).toBe(1)
    for (; now <= 5000; now++) entries.set(`x${now}`, now, 'app')
    expect([entries.get('a'), entries.get('x4900')]).toEqual([undefined, 4900])
    expect(entries.size).toBeLessThanOrEqual(2 * 1024)
  })

  it('holds the latest entries of an owner, and no more than its limit', () => {
    const entries = map({ limit: 10 })
    for (let i = 0; i < 1000; i++) {
      entries.set(`k${i}`, i, 'app')
      expect(entries.size).toBe(Math.min(i + 1, 10))
      for (let j = Math.max(0, i - 9); j <= i; j++) expect(entries.get(`k${j}`)).toBe(j)
    }
  })

  it('has one value for a key, the latest, which becomes the youngest', () => {
    const entries = map({ limit: 3 })
    for (const key of ['a', 'b', 'a', 'c', 'a', 'd']) entries.set(key, key, 'app')
    expect(['a', 'b', 'c', 'd'].map(entries.get)).toEqual(['a', undefined, 'c', 'd'])
    expect(entries.values()).toHaveLength(3)
    expect([entries.delete('a'), entries.delete('a'), entries.size]).toEqual([true, false, 2])
  })

  it('never holds more than its bytes, and always the latest entry', () => {
    const entries = map({ maxBytes: 10_000 })
    for (let i = 0; i < 1000; i++) {
      entries.set(`k${i}`, 'x'.repeat(i % 500), 'app')
      expect(entries.get(`k${i}`)).toHaveLength(i % 500)
    }
    // The shortest entries hold 70 bytes.
    expect(entries.size).toBeLessThanOrEqual(10_000 / 70)
    entries.set('larger than the map', 'x'.repeat(50_000), 'app')
    expect(entries.get('larger than the map')).toHaveLength(50_000)
    expect(entries.size).toBe(1)
  })

  it.each([
    ['many entries', 20_000, 1],
    ['few large ones', 200, 100_000],
  ])('drops none of another owner for %s of one', (_, count, length) => {
    const entries = map()
    for (let i = 0; i < 20; i++) entries.set(`mine ${i}`, i, 'app')
    for (let i = 0; i < count; i++) entries.set(`flood ${i}`, 'x'.repeat(length), 'other')
    for (let i = 20; i < 200; i++) entries.set(`mine ${i}`, i, 'app')
    for (let i = 0; i < count; i++) entries.set(`flood again ${i}`, 'x'.repeat(length), 'other')
    for (let i = 0; i < 200; i++) expect(entries.get(`mine ${i}`)).toBe(i)
    expect(entries.get(`flood again ${count - 1}`)).toBeDefined()
  })

  it('leaves owners with few entries alone, whatever the others do, and stays within its bounds', async () => {
    const step = fc.record({ owner: fc.nat(4), key: fc.nat(30), length: fc.nat(40) })
    await forAll(fc.array(step, { maxLength: 300 }), steps => {
      const entries = map({ limit: 30, maxBytes: 30 * 300 })
      entries.set('mine', 1, 'app')
      for (const { owner, key, length } of steps) {
        entries.set(`${owner} ${key}`, 'x'.repeat(length), String(owner))
        expect(entries.get(`${owner} ${key}`)).toHaveLength(length)
        expect(entries.size).toBeLessThanOrEqual(60)
        expect(entries.values()).toHaveLength(entries.size)
      }
      expect(entries.get('mine')).toBe(1)
    })
  })

  it('takes new owners when every place has another one, and drops the oldest entry then', () => {
    const entries = map({ limit: 10 })
    for (let i = 0; i < 100; i++) {
      entries.set(`k${i}`, i, `owner ${i}`)
      expect(entries.get(`k${i}`)).toBe(i)
    }
    expect(entries.size).toBe(20)
    expect(entries.get('k81')).toBe(81)
  })
})

describe('a kept map', () => {
  it('keeps every entry until its end, and refuses new ones while it is full', () => {
    let now = 0
    const map = createKeptMap<number>({ limit: 3, maxBytes: 1e6, now: () => now })
    const set = (key: string, value: number, until: number) => map.set(key, value, 'app', until)
    expect([set('a', 1, 5000), set('b', 2, 2000), set('c', 3, 5000)]).toEqual([true, true, true])
    expect(set('d', 4, 5000)).toBe(false)
    expect(['a', 'b', 'c', 'd'].map(map.get)).toEqual([1, 2, 3, undefined])
    expect(set('a', 10, 5000)).toBe(true)
    now = 2000
    expect(set('d', 4, 5000)).toBe(true)
    expect(['a', 'b', 'c', 'd'].map(map.get)).toEqual([10, undefined, 3, 4])
    expect(map.size).toBe(3)
  })

  it('refuses one owner alone, and forgets nothing for it', () => {
    const map = createKeptMap<number>({ limit: 100, maxBytes: 1e6, now: () => 0 })
    const add = (owner: string, count: number) =>
      Array.from({ length: count }, (_, i) => map.set(`${owner} ${i}`, i, owner, 1)).filter(Boolean).length
    expect([add('app', 10), add('flood', 1000), add('flood', 1000)]).toEqual([10, 95, 95])
    expect([add('app', 40), add('third', 10)]).toEqual([40, 10])
    expect(map.get('flood 0')).toBe(0)
  })

  it('refuses an entry that its bytes do not allow, and still replaces a large one by a small one', () => {
    const map = createKeptMap<string>({ limit: 1000, maxBytes: 2000, now: () => 0 })
    const set = (key: string, length: number) => map.set(key, 'x'.repeat(length), 'app', 1)
    expect([set('a', 800), set('b', 200), set('a', 100), set('b', 200), set('b', 900)]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ])
    expect(map.get('b')).toHaveLength(200)
  })

  it('holds as many entries as live at once, however many come', () => {
    let now = 0
    const map = createKeptMap<number>({ limit: 100_000, maxBytes: 1e9, now: () => now })
    for (; now < 200_000; now++) expect(map.set(`k${now}`, now, `${now % 3}`, now + 1000)).toBe(true)
    expect(map.size).toBeLessThanOrEqual(4 * 1000)
    for (let i = now - 1000; i < now; i++) expect(map.get(`k${i}`)).toBe(i)
  })

  it('is right for any entries', async () => {
    const entry = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      owner: fc.constantFrom('app', 'other', 'third'),
      length: fc.nat(300),
      lifetime: fc.nat(3000),
      pause: fc.nat(1500),
    })
    await forAll(fc.array(entry, { maxLength: 60 }), entries => {
      let now = 0
      const map = createKeptMap<string>({ limit: 4, maxBytes: 1500, now: () => now })
      const model = new Map<string, { value: string; until: number }>()
      for (const { key, owner, length, lifetime, pause } of entries) {
        now += pause
        const value = 'x'.repeat(length)
        if (map.set(key, value, owner, now + lifetime)) model.set(key, { value, until: now + lifetime })
        expect(map.size).toBeLessThanOrEqual(8)
        for (const [each, { value: kept, until }] of model) {
          if (until > now) expect(map.get(each)).toBe(kept)
        }
      }
    })
  })
})
