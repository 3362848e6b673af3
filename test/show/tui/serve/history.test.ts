import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  emptyHistory,
  entries,
  entryAt,
  findLatest,
  push,
  replaceAt,
  size,
} from '../../../../src/show/tui/serve/view/history.js'
import { forAll } from '../../../support/for-all.js'

it('is the end of a list that is never cut', () =>
  forAll(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 300 }), (count, limit) => {
    let history = emptyHistory<number>(limit)
    for (let n = 0; n < count; n++) history = push(history, n)
    const { first, end } = history
    expect(end).toBe(count)
    expect(size(history)).toBeGreaterThanOrEqual(Math.min(count, limit))
    expect(size(history)).toBeLessThan(limit + 64)
    expect(entries(history)).toEqual(Array.from({ length: end - first }, (_, i) => first + i))
    expect(entryAt(history, first - 1)).toBeUndefined()
    expect(entryAt(history, end)).toBeUndefined()
    if (count > 0) expect([entryAt(history, first), entryAt(history, end - 1)]).toEqual([first, end - 1])
  }))

it('changes an entry without changing the history it came from', () => {
  let history = emptyHistory<string>(10)
  for (const each of ['a', 'b', 'a']) history = push(history, each)
  expect(findLatest(history, each => each === 'a')).toBe(2)
  expect(findLatest(history, each => each === 'b', 1)).toBeUndefined()
  const changed = replaceAt(history, 1, 'B')
  expect([entries(history), entries(changed)]).toEqual([
    ['a', 'b', 'a'],
    ['a', 'B', 'a'],
  ])
  expect(replaceAt(history, 7, 'x')).toBe(history)
})
