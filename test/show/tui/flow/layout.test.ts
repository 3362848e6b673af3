import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOut } from '../../../../src/show/tui/flow/panes.js'
import { forAll } from '../../../support/for-all.js'

describe('the layout', () => {
  it.each([
    // As in the drawings: ten arrows at 100x30 and 80x24, six steps at 60x20.
    [{ columns: 100, rows: 30 }, 10, { sequence: 10, lower: 12 }],
    [{ columns: 80, rows: 24 }, 10, { sequence: 10, lower: 8 }],
    [{ columns: 60, rows: 20 }, 6, { sequence: 6, lower: 10 }],
    [{ columns: 80, rows: 24 }, 30, { sequence: 10, lower: 8 }],
    [{ columns: 100, rows: 50 }, 12, { sequence: 12, lower: 30 }],
  ])('of %j for %i lines is %j', (size, needed, expected) => {
    const { sequence, exchange } = layOut(size, needed, 0)
    expect({ sequence: sequence.rows, lower: exchange.rows }).toEqual(expected)
  })

  it('always fills one line less than the terminal, however a pane was grown', async () => {
    const frames = { wide: 5, normal: 3, small: 1, tooSmall: 0 }
    await forAll(
      fc.integer({ min: 60, max: 200 }),
      fc.integer({ min: 20, max: 80 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: -20, max: 20 }),
      (columns, rows, needed, grow) => {
        const { arrangement, height, sequence, exchange, beside } = layOut({ columns, rows }, needed, grow)
        expect(height).toBe(rows - 1)
        expect(2 + frames[arrangement] + sequence.rows + exchange.rows).toBe(height)
        expect(sequence.rows).toBeGreaterThanOrEqual(Math.min(3, needed))
        expect(exchange.rows).toBeGreaterThanOrEqual(4)
        expect(beside.rows).toBe(exchange.rows)
        if (arrangement === 'wide') expect(exchange.columns + beside.columns + 8).toBe(columns)
      },
    )
  })
})
