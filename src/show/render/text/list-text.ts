import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { type CsvValue, csvRow } from './csv.js'

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
