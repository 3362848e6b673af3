import { escapeUnprintable, jsonLine } from '../../../protocol/safe-output/json-line.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'

/**
 * YAML that is safe for terminals, and that readers of YAML 1.1, as those of Kubernetes are, read as it was meant:
 * texts that resemble dates or `yes` are in quotes.
 * @param write of the package yaml, which takes long to load
 */
export function yamlText(value: unknown, write: (value: unknown, options: object) => string): string {
  const options = { lineWidth: 0, version: '1.1' } as const
  const text = write(value, options)
  if (escapeUnprintable(text) === text) return text
  const quoted = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' } as const
  return escapeUnprintable(write(value, { ...options, ...quoted }))
}

/** The characters that start a formula in a spreadsheet, their wide forms included. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** Places at which a spreadsheet that separates by semicolons would begin a cell with a formula. Quotes around a cell do not prevent that. */
const hiddenFormula = /;[\s"]*(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** The content of a cell; nothing is an empty cell. */
type CsvValue = string | number | boolean | null | undefined

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

/** The columns of a CSV: heading and cell. */
export type CsvColumns<T> = readonly (readonly [heading: string, cell: (each: T) => CsvValue])[]

/** Writes a list for programs: one JSON array, an object a line, or CSV with a heading. */
export function listText<T>(
  form: 'json' | 'jsonl' | 'csv',
  list: readonly T[],
  columns: CsvColumns<T>,
): string {
  if (form === 'json') return `${jsonLine(list)}\n`
  if (form === 'jsonl') return list.map(each => `${jsonLine(each)}\n`).join('')
  const cells = list.map(each => csvRow(columns.map(([, cell]) => cell(each))))
  return csvRow(columns.map(([heading]) => heading)) + cells.join('')
}
