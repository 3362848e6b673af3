import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRateLimit } from '../../../src/authorization-server/logins/rate-limit.js'

it('allows a number of attempts in a window, and says when the next one is allowed', () => {
  let now = 1_000
  const limit = createRateLimit({ attempts: 3, window: 60_000 }, { now: () => now })
  expect([limit.take('a'), limit.take('a'), limit.take('a')].every(each => each.ok)).toBe(true)
  now += 30_500
  expect(limit.take('a')).toEqual({ ok: false, retryAfterSeconds: 30 })
  expect(limit.take('b')).toEqual({ ok: true })
  now += 29_499
  expect(limit.take('a')).toEqual({ ok: false, retryAfterSeconds: 1 })
  now += 1
  expect(limit.take('a')).toEqual({ ok: true })
})

it('does not count an attempt that is taken back', () => {
  const limit = createRateLimit({ attempts: 1, window: 60_000 }, { now: () => 0 })
  for (let i = 0; i < 5; i++) {
    expect(limit.take('a').ok).toBe(true)
    limit.giveBack('a')
  }
  expect(limit.take('a').ok).toBe(true)
  expect(limit.take('a').ok).toBe(false)
  limit.giveBack('never taken')
  expect(limit.take('never taken').ok).toBe(true)
})

it.each([
  ['before the first attempt', []],
  ['more often than it was taken', ['take']],
  ['more often than it was taken, in turns', ['take', 'take', 'giveBack', 'giveBack', 'giveBack', 'take']],
] as const)('does not allow more after attempts that are taken back %s', (_, before) => {
  const limit = createRateLimit({ attempts: 3, window: 60_000 }, { now: () => 0 })
  for (const step of before) limit[step]('a')
  for (let i = 0; i < 10; i++) limit.giveBack('a')
  const passed = Array.from({ length: 10 }, () => limit.take('a')).filter(each => each.ok)
  expect(passed).toHaveLength(3)
})

it('does not credit an attempt of the last window to the next one', () => {
  let now = 0
  const limit = createRateLimit({ attempts: 2, window: 1_000 }, { now: () => now })
  limit.take('a')
  now = 1_000
  limit.giveBack('a')
  expect([1, 2, 3].map(() => limit.take('a').ok)).toEqual([true, true, false])
})

it('starts a new window after the clock was set back', () => {
  let now = 10_000
  const limit = createRateLimit({ attempts: 1, window: 1_000 }, { now: () => now })
  expect(limit.take('a').ok).toBe(true)
  expect(limit.take('a').ok).toBe(false)
  now = 9_999
  expect(limit.take('a').ok).toBe(true)
  expect(limit.take('a')).toEqual({ ok: false, retryAfterSeconds: 1 })
})

it('can be off', () => {
  const limit = createRateLimit('off', { now: () => 0 })
  for (let i = 0; i < 1000; i++) expect(limit.take('a')).toEqual({ ok: true })
})

it('never allows more attempts in a window than its number, for any key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (key, attempts) => {
      const limit = createRateLimit({ attempts, window: 1_000 }, { now: () => 0 })
      const passed = Array.from({ length: 60 }, () => limit.take(key)).filter(each => each.ok)
      expect(passed).toHaveLength(attempts)
    }),
  )
})
