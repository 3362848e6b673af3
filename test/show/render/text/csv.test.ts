import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvCell, csvRow } from '../../../../src/show/render/text/list-text.js'
import { forAll } from '../../../support/for-all.js'

it.each([
  ['plain', 'plain'],
  ['', ''],
  [null, ''],
  [undefined, ''],
  [-1, '-1'],
  [true, 'true'],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  [' x', '" x"'],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(1)', "'@SUM(1)"],
  ['\t=1', "'␉=1"],
  ['\r=1', "'␍=1"],
  ['＝1', "'＝1"],
  ['a\r\nb', 'a␍␊b'],
  ['\u001b[31m', '␛[31m'],
  ['a;b', '"a;b"'],
  ['a;=1', '"a;\'=1"'],
  ['a; +1;-2', '"a; \'+1;\'-2"'],
  ['a;"=1', '"a;""\'=1"'],
])('a cell of %j is %s', (value, cell) => expect(csvCell(value)).toBe(cell))

/** Reads one row as RFC 4180 §2 says. */
const read = (row: string): string[] =>
  [...`,${row.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )

it('a row is read back as it was written, without formulas', async () => {
  const dangerous = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', '\u001b', ' ')
  const text = fc.array(fc.oneof(dangerous, fc.string({ maxLength: 3 })), { maxLength: 6 })
  await forAll(
    fc.array(
      text.map(parts => parts.join('')),
      { minLength: 2, maxLength: 5 },
    ),
    cells => {
      const row = csvRow(cells)
      expect(row.slice(0, -2)).not.toMatch(/\p{Cc}/u)
      const shown = read(row)
      expect(shown).toHaveLength(cells.length)
      for (const [i, cell] of shown.entries()) {
        expect(cell).not.toMatch(/^[=+\-@\t\r]/)
        expect(cell).not.toMatch(/;[\s"]*[=+\-@]/)
        if (/^[\w" ,]*$/.test(cells[i]!)) expect(cell).toBe(cells[i])
      }
    },
  )
})
