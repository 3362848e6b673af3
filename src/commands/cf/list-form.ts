import { Option } from 'commander'
import { UsageError } from '../../errors.js'
import { type CsvValue, csvRow } from '../../render/csv.js'
import { jsonLine } from '../../render/json-line.js'
import type { Globals } from '../globals.js'

/** How a list is written. */
export type ListForm = 'table' | 'json' | 'jsonl' | 'csv' | 'bind'

/** `-o`, with the forms that this command has. */
export function listFormOption(...forms: readonly ListForm[]): Option {
  return new Option('-o, --output <form>', 'how it is written (default: table; json with --json)').choices([
    ...forms,
  ])
}

/**
 * The form that was asked for; `--json` is `-o json`, and is at ease with `-o jsonl`.
 * @throws UsageError where they contradict each other
 */
export function listFormOf(output: ListForm | undefined, { json }: Globals): ListForm {
  if (!json) return output ?? 'table'
  if (output === undefined || output === 'json' || output === 'jsonl') return output ?? 'json'
  throw new UsageError(`--json and -o ${output} are two forms`, ['Leave one out'])
}

/** A list for programs: one JSON array, an object a line, or a table with a heading for spreadsheets. */
export function listText<T>(
  form: 'json' | 'jsonl' | 'csv',
  list: readonly T[],
  columns: readonly (readonly [heading: string, cell: (each: T) => CsvValue])[],
): string {
  if (form === 'json') return `${jsonLine(list)}\n`
  if (form === 'jsonl') return list.map(each => `${jsonLine(each)}\n`).join('')
  const cells = list.map(each => csvRow(columns.map(([, cell]) => cell(each))))
  return csvRow(columns.map(([heading]) => heading)) + cells.join('')
}
