import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRateLimit } from '../../src/protocol/rate-limit.js'
import { forAll } from '../support/for-all.js'

it('counts failures in a window, and says when the window ends', () => {
  let now = 1_000
  const limit = createRateLimit({ attempts: 3, window: 60_000 }, { now: () => now })
  expect(limit.left('a')).toEqual({ attempts: 3, resetSeconds: 60 })
  for (const left of [2, 1, 0, 0]) {
    limit.count('a')
    expect(limit.left('a').attempts).toBe(left)
  }
  now += 30_500
  expect(limit.left('a')).toEqual({ attempts: 0, resetSeconds: 30 })
  expect(limit.left('b')).toEqual({ attempts: 3, resetSeconds: 60 })
  now += 29_499
  expect(limit.left('a')).toEqual({ attempts: 0, resetSeconds: 1 })
  now += 1
  expect(limit.left('a')).toEqual({ attempts: 3, resetSeconds: 60 })
})

it('starts a new window after the clock was set back', () => {
  let now = 10_000
  const limit = createRateLimit({ attempts: 1, window: 1_000 }, { now: () => now })
  limit.count('a')
  expect(limit.left('a').attempts).toBe(0)
  now = 9_999
  expect(limit.left('a').attempts).toBe(1)
  limit.count('a')
  expect(limit.left('a')).toEqual({ attempts: 0, resetSeconds: 1 })
})

it('can be off', () => {
  const limit = createRateLimit('off', { now: () => 0 })
  for (let i = 0; i < 1000; i++) limit.count('a')
  expect(limit.left('a').attempts).toBe(Number.POSITIVE_INFINITY)
})

it('counts every key by itself, whatever it contains', () =>
  forAll(
    fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 2 }),
    fc.integer({ min: 1, max: 50 }),
    ([key, other], attempts) => {
      const limit = createRateLimit({ attempts, window: 1_000 }, { now: () => 0 })
      for (let i = 1; i <= 60; i++) {
        limit.count(key!)
        expect(limit.left(key!).attempts).toBe(Math.max(0, attempts - i))
      }
      expect(limit.left(other!).attempts).toBe(attempts)
    },
  ))
