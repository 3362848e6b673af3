import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createExpiringMap, createKeptMap } from '../../src/protocol/bounded-maps.js'

describe('an expiring map', () => {
  it('keeps an entry for its lifetime and drops it within twice that time', () => {
    let now = 0
    const map = createExpiringMap<number>({ lifetime: 100, limit: 1000, maxBytes: 1e6, now: () => now })
    map.set('a', 1)
    for (now = 10; now <= 100; now += 10) map.set(`x${now}`, now)
    expect(map.get('a')).toBe(1)
    for (; now <= 210; now += 10) map.set(`x${now}`, now)
    expect(map.get('a')).toBeUndefined()
    expect(map.get('x150')).toBe(150)
  })

  it('drops everything after a long silence', () => {
    let now = 0
    const map = createExpiringMap<number>({ lifetime: 100, limit: 1000, maxBytes: 1e6, now: () => now })
    map.set('a', 1)
    now = 1000
    map.set('b', 2)
    expect(map.get('a')).toBeUndefined()
    expect(map.size).toBe(1)
  })

  it('never holds more than its limit, and always the latest half', () => {
    const map = createExpiringMap<number>({ lifetime: 100, limit: 10, maxBytes: 1e6, now: () => 0 })
    for (let i = 0; i < 1000; i++) {
      map.set(`k${i}`, i)
      expect(map.size).toBeLessThanOrEqual(10)
      for (let j = Math.max(0, i - 4); j <= i; j++) expect(map.get(`k${j}`)).toBe(j)
    }
  })

  it('has one value for a key, the latest', () => {
    const map = createExpiringMap<number>({ lifetime: 100, limit: 4, maxBytes: 1e6, now: () => 0 })
    for (const key of ['a', 'b', 'c', 'a', 'a']) map.set(key, key === 'a' ? 2 : 1)
    expect(map.get('a')).toBe(2)
    expect(map.size).toBe(3)
  })

  it('never holds more than its bytes, and always the latest entry', () => {
    const map = createExpiringMap<string>({ lifetime: 100, limit: 1000, maxBytes: 10_000, now: () => 0 })
    for (let i = 0; i < 1000; i++) {
      map.set(`k${i}`, 'x'.repeat(i % 500))
      expect(map.get(`k${i}`)).toHaveLength(i % 500)
    }
    // The shortest entries hold 70 bytes.
    expect(map.size).toBeLessThanOrEqual(10_000 / 70)
    map.set('larger than half of the map', 'x'.repeat(5000))
    expect(map.get('larger than half of the map')).toHaveLength(5000)
    expect(map.size).toBeLessThanOrEqual(100)
  })
})

describe('a kept map', () => {
  it('keeps every entry until its end, and refuses new ones while it is full', () => {
    let now = 0
    const map = createKeptMap<number>({ limit: 3, maxBytes: 1e6, now: () => now })
    expect([map.set('a', 1, 5000), map.set('b', 2, 2000), map.set('c', 3, 5000)]).toEqual([true, true, true])
    expect(map.set('d', 4, 5000)).toBe(false)
    expect(['a', 'b', 'c', 'd'].map(map.get)).toEqual([1, 2, 3, undefined])
    expect(map.set('a', 10, 5000)).toBe(true)
    now = 2000
    expect(map.set('d', 4, 5000)).toBe(true)
    expect(['a', 'b', 'c', 'd'].map(map.get)).toEqual([10, undefined, 3, 4])
    expect(map.size).toBe(3)
  })

  it('refuses an entry that its bytes do not allow, and still replaces a large one by a small one', () => {
    const map = createKeptMap<string>({ limit: 1000, maxBytes: 2000, now: () => 0 })
    expect(map.set('a', 'x'.repeat(800), 1)).toBe(true)
    expect(map.set('b', 'x'.repeat(200), 1)).toBe(false)
    expect(map.set('a', 'x'.repeat(100), 1)).toBe(true)
    expect(map.set('b', 'x'.repeat(200), 1)).toBe(true)
    expect(map.set('b', 'x'.repeat(900), 1)).toBe(false)
    expect(map.get('b')).toHaveLength(200)
  })

  it('holds as many entries as live at once, however many come', () => {
    let now = 0
    const map = createKeptMap<number>({ limit: 100_000, maxBytes: 1e9, now: () => now })
    for (; now < 200_000; now++) expect(map.set(`k${now}`, now, now + 1000)).toBe(true)
    expect(map.size).toBeLessThanOrEqual(4 * 1000)
    for (let i = now - 1000; i < now; i++) expect(map.get(`k${i}`)).toBe(i)
  })

  it('is right for any entries', () => {
    const entry = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      length: fc.nat(300),
      lifetime: fc.nat(3000),
      pause: fc.nat(1500),
    })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), entries => {
        let now = 0
        const map = createKeptMap<string>({ limit: 4, maxBytes: 1500, now: () => now })
        const model = new Map<string, { value: string; until: number }>()
        for (const { key, length, lifetime, pause } of entries) {
          now += pause
          const value = 'x'.repeat(length)
          if (map.set(key, value, now + lifetime)) model.set(key, { value, until: now + lifetime })
          expect(map.size).toBeLessThanOrEqual(4)
          for (const [each, { value: kept, until }] of model) {
            if (until > now) expect(map.get(each)).toBe(kept)
          }
        }
      }),
    )
  })
})
