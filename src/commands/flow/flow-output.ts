import { openSync, writeSync } from 'node:fs'
import type { FlowRecord, Outcome } from '../../flows/step.js'
import { UsageError } from '../../protocol/errors.js'
import { outcomeText, type PlainOptions, stepLine } from '../../show/render/steps/plain.js'
import { flowJson } from '../../show/render/text/json.js'

/** Writes one whole line. */
export type WriteLine = (line: string) => void

/**
 * Opens the output: stdout, or a file that only its owner can read, because it may hold tokens.
 * @throws UsageError
 */
export function lineWriter(file: string | undefined): WriteLine {
  if (file === undefined) return line => process.stdout.write(`${line}\n`)
  let descriptor: number
  try {
    descriptor = openSync(file, 'w', 0o600)
  } catch (error) {
    throw new UsageError(`cannot write ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
  return line => writeSync(descriptor, `${line}\n`)
}

/** The lines of one record. */
export function recordLines(
  record: FlowRecord,
  options: PlainOptions & { readonly json: boolean },
): string[] {
  if (options.json) return [flowJson(record, options)]
  return record.type === 'step' ? [stepLine(record, options)] : outcomeText(record, options)
}

/** Runs a flow to its end, writing each record as it comes. */
export async function writeFlow(
  records: AsyncIterable<FlowRecord>,
  lines: (record: FlowRecord) => readonly string[],
  write: WriteLine,
): Promise<Outcome | undefined> {
  let outcome: Outcome | undefined
  for await (const record of records) {
    for (const line of lines(record)) write(line)
    if (record.type === 'outcome') outcome = record
  }
  return outcome
}
