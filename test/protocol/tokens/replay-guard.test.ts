import { describe, expect, it } from 'vitest'
import { createReplayGuard } from '../../../src/protocol/tokens/replay-guard.js'

describe('the memory of used ids', () => {
  it('knows an id until it expires', () => {
    let now = 1000
    const guard = createReplayGuard({ now: () => now })
    expect(guard.use('a', 2000, 'app')).toBe('first')
    expect(guard.use('a', 2000, 'app')).toBe('again')
    expect(guard.use('a', 9000, 'app')).toBe('again')
    expect(guard.use('b', 2000, 'app')).toBe('first')
    now = 1999
    expect(guard.use('a', 2000, 'app')).toBe('again')
    now = 2000
    expect(guard.use('a', 3000, 'app')).toBe('first')
  })

  it('takes names such as __proto__ for ids', () => {
    const guard = createReplayGuard({ now: () => 0 })
    for (const id of ['__proto__', 'constructor', '']) {
      expect(guard.use(id, 1, 'app')).toBe('first')
      expect(guard.use(id, 1, 'app')).toBe('again')
    }
  })

  it('accepts none beyond its limit, rather than forget one that could come again', () => {
    let now = 0
    const guard = createReplayGuard({ now: () => now, limit: 3 })
    for (const id of ['a', 'b', 'c']) expect(guard.use(id, 5000, 'app')).toBe('first')
    expect(guard.use('d', 5000, 'app')).toBe('full')
    expect(guard.use('a', 5000, 'app')).toBe('again')
    now = 5000
    expect(guard.use('d', 9000, 'app')).toBe('first')
    expect(guard.size).toBe(1)
  })

  it('stays small while many pass through', () => {
    let now = 0
    let largest = 0
    const guard = createReplayGuard({ now: () => now })
    for (let n = 0; n < 10_000; n++) {
      now += 1
      guard.use(`id ${n}`, now + 1200, 'app')
      largest = Math.max(largest, guard.size)
    }
    // It drops expired ids when the number of live ids, 1199, has doubled.
    expect(largest).toBe(2 * 1199)
  })

  it('drops no ids before there are 1024 of them', () => {
    let now = 0
    const guard = createReplayGuard({ now: () => now })
    for (let n = 0; n < 1023; n++) guard.use(`id ${n}`, 1, 'app')
    now = 5000
    guard.use('live', 9000, 'app')
    expect(guard.size).toBe(1024)
    guard.use('another', 9000, 'app')
    expect(guard.size).toBe(2)
  })

  it('that is full drops expired ids at most once a second, also on a clock that was set back', () => {
    let now = 0
    const guard = createReplayGuard({ now: () => now, limit: 2 })
    const at = (time: number, id: string) => {
      now = time
      return guard.use(id, time + 100, 'app')
    }
    expect([at(0, 'a'), at(0, 'b'), at(0, 'c')]).toEqual(['first', 'first', 'full'])
    expect([at(100, 'c'), at(999, 'c'), at(1000, 'c')]).toEqual(['full', 'full', 'first'])
    expect([at(1000, 'd'), at(1000, 'e')]).toEqual(['first', 'full'])
    expect([at(2000, 'e'), at(2000, 'f'), at(2500, 'g')]).toEqual(['first', 'first', 'full'])
    expect(at(1001, 'g')).toBe('full')
    expect(at(1000, 'g')).toBe('full')
    expect(at(3000, 'g')).toBe('first')
  })
})
