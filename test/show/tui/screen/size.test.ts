import { describe, expect, it } from 'vitest'
import { windowStart } from '../../../../src/show/tui/screen/list.js'
import { arrangementOf, sizeOf } from '../../../../src/show/tui/screen/size.js'

describe('the size', () => {
  it('is the usual one where the terminal reports none', () => {
    expect(sizeOf({ columns: 0, rows: 0 })).toEqual({ columns: 80, rows: 24 })
    expect(sizeOf({})).toEqual({ columns: 80, rows: 24 })
    expect(sizeOf({ columns: 132, rows: 43 })).toEqual({ columns: 132, rows: 43 })
  })

  it.each([
    [100, 28, 'wide'],
    [99, 60, 'normal'],
    [200, 27, 'normal'],
    [80, 24, 'normal'],
    [79, 24, 'small'],
    [300, 23, 'small'],
    [60, 20, 'small'],
    [59, 40, 'tooSmall'],
    [60, 19, 'tooSmall'],
  ])('%ix%i is %s', (columns, rows, expected) => expect(arrangementOf({ columns, rows })).toBe(expected))
})

it.each([
  [10, 10, 4, 5, 0],
  [14, 10, 0, 0, 0],
  [14, 10, 8, 9, 1],
  [14, 10, 12, 13, 4],
  [20, 3, 6, 7, 6],
])(
  'the window over the sequence of %i lines, %i shown, with %i to %i begins at %i',
  (total, rows, from, to, start) => expect(windowStart(total, rows, from, to)).toBe(start),
)
