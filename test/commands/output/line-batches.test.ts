import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { batchLines, PAUSE } from '../../../src/commands/output/event-output.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function batches() {
  const writes: string[] = []
  return {
    writes,
    ...batchLines(
      (...lines) => writes.push(lines.join(' ')),
      (word: string) => word,
    ),
  }
}

describe('lines in batches', () => {
  it('writes a line that comes after a quiet time at once', () => {
    const { writes, add } = batches()
    add('one')
    expect(writes).toEqual(['one'])
    vi.advanceTimersByTime(1000)
    add('two')
    expect(writes).toEqual(['one', 'two'])
  })

  it('writes lines together, in order, that come soon after', () => {
    const { writes, add } = batches()
    for (const line of ['one', 'two', 'three']) add(line)
    expect(writes).toEqual(['one'])
    vi.advanceTimersByTime(PAUSE)
    expect(writes).toEqual(['one', 'two\nthree'])
    add('four')
    expect(writes).toEqual(['one', 'two\nthree'])
    vi.advanceTimersByTime(PAUSE)
    expect(writes).toEqual(['one', 'two\nthree', 'four'])
  })

  it('writes waiting lines at the end, and leaves no timer behind', () => {
    const { writes, add, end } = batches()
    add('one')
    add('two')
    end()
    end()
    expect(writes).toEqual(['one', 'two'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
