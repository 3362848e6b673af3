import { describe, expect, it } from 'vitest'
import { createReplayGuard } from '../../src/tokens/replay-guard.js'

describe('the memory of used ids', () => {
  it('knows an id until it expires', () => {
    let now = 1000
    const guard = createReplayGuard({ now: () => now })
    expect(guard.use('a', 2000)).toBe('first')
    expect(guard.use('a', 2000)).toBe('again')
    expect(guard.use('a', 9000)).toBe('again')
    expect(guard.use('b', 2000)).toBe('first')
    now = 1999
    expect(guard.use('a', 2000)).toBe('again')
    now = 2000
    expect(guard.use('a', 3000)).toBe('first')
  })

  it('takes names such as __proto__ for ids', () => {
    const guard = createReplayGuard({ now: () => 0 })
    for (const id of ['__proto__', 'constructor', '']) {
      expect(guard.use(id, 1)).toBe('first')
      expect(guard.use(id, 1)).toBe('again')
    }
  })

  it('accepts none beyond its limit, rather than forget one that could come again', () => {
    let now = 0
    const guard = createReplayGuard({ now: () => now, limit: 3 })
    for (const id of ['a', 'b', 'c']) expect(guard.use(id, 5000)).toBe('first')
    expect(guard.use('d', 5000)).toBe('full')
    expect(guard.use('a', 5000)).toBe('again')
    now = 5000
    expect(guard.use('d', 9000)).toBe('first')
    expect(guard.size).toBe(1)
  })

  it('stays small while a hundred thousand pass through', () => {
    let now = 0
    let largest = 0
    const guard = createReplayGuard({ now: () => now })
    for (let n = 0; n < 100_000; n++) {
      now += 1
      guard.use(`id ${n}`, now + 5000)
      largest = Math.max(largest, guard.size)
    }
    // 5000 live at a time; swept when that has doubled.
    expect(largest).toBeLessThanOrEqual(10_100)
  })
})
