import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Line, plainText } from '../../../../src/show/render/text/spans.js'
import { width } from '../../../../src/show/render/text/text.js'
import type { Size } from '../../../../src/show/tui/screen/size.js'
import type { FakeTerminal } from './fake-terminal.js'

/**
 * Holds each drawing against its file in `drawings/` beside the test. People review the files: `npx vitest run
 * test/show/tui -u` writes them again.
 */
export function draws(drawings: Readonly<Record<string, () => string>>): void {
  it.each(Object.entries(drawings))('draws drawings/%s.txt', async (name, drawn) => {
    await expect(`${drawn()}\n`).toMatchFileSnapshot(`drawings/${name}.txt`)
  })
}

/** Terminals of any size. */
export const sizes: fc.Arbitrary<Size> = fc.record({
  columns: fc.integer({ min: 1, max: 140 }),
  rows: fc.integer({ min: 1, max: 50 }),
})

/** Expects a frame to fit the terminal, without a character that a terminal would obey. */
export function expectFit(frame: readonly Line[], { columns, rows }: Size, ascii = false): void {
  expect(frame).toHaveLength(Math.max(1, rows - 1))
  for (const text of frame.map(plainText)) {
    expect(width(text)).toBeLessThanOrEqual(columns)
    expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    if (ascii) expect(text).toMatch(/^[\x20-\x7e]*$/)
  }
}

/** Types keys, one after the other, each once the screen has taken the one before. */
export async function typeKeys({ type }: FakeTerminal, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    type(key)
    for (let i = 0; i < 4; i++) await new Promise(setImmediate)
  }
}
