import { makeSafe } from '../../../protocol/safe-output/safe.js'

/** The characters that start a formula in a spreadsheet, their wide forms included. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** Places at which a spreadsheet that separates by semicolons would begin a cell with a formula. Quotes around a cell do not prevent that. */
const hiddenFormula = /;[\s"]*(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** The content of a cell; nothing is an empty cell. */
export type CsvValue = string | number | boolean | null | undefined

/**
 * One cell (RFC 4180 §2). Text that a spreadsheet would run gets an apostrophe before it. Control characters become
 * signs, since people read CSV in terminals too. Both hold where cells are separated by semicolons.
 */
export function csvCell(value: CsvValue): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = value ?? ''
  const safe = (formula.test(text) ? "'" : '') + makeSafe(text).replace(hiddenFormula, "$&'")
  return /[",;]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One row, with the line end of RFC 4180. */
export function csvRow(cells: readonly CsvValue[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}
