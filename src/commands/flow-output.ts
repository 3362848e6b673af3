import { openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { UsageError } from '../errors.js'
import type { FlowRecord, Outcome, PlannedStep } from '../flows/step.js'
import { isBreach } from '../oauth/check.js'
import { flowJson } from '../render/json.js'
import { outcomeText, type PlainOptions, stepLine } from '../render/plain.js'
import { announcement, conclusion, introduction, PROMPT, report } from '../render/screen-reader.js'
import { worded } from './output.js'

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

/** The facts of a flow that the text outputs need. */
export interface FlowText extends PlainOptions {
  /** The name of the flow, such as `authorization code`. */
  readonly flow: string
  readonly plan: readonly PlannedStep[]
  readonly now: () => number
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

/** Reads the lines that are typed, one at a time; undefined after the last one. */
function lineReader(signal: AbortSignal): { next(): Promise<string | undefined>; close(): void } {
  const reader = createInterface({ input: process.stdin })
  const lines = reader[Symbol.asyncIterator]()
  const stop = () => reader.close()
  signal.addEventListener('abort', stop, { once: true })
  return {
    next: async () => {
      const { value, done } = await lines.next()
      return done ? undefined : String(value)
    },
    close: () => {
      signal.removeEventListener('abort', stop)
      reader.close()
    },
  }
}

/**
 * Writes a flow as sentences and waits for Enter before each step. After the end of the input it runs on by itself;
 * `q` leaves.
 * @returns the outcome; undefined when the person left before
 */
export async function readAloud(
  records: AsyncGenerator<FlowRecord>,
  { flow, plan, clientId, now }: FlowText,
  writeLine: WriteLine,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const keys = lineReader(signal)
  const write: WriteLine = line => writeLine(worded(line))
  let listening = true
  let next = 0
  write(introduction(flow, clientId, plan))
  try {
    for (;;) {
      const planned = plan[next]
      if (planned && listening && !signal.aborted) {
        write(announcement(planned, next + 1, plan.length))
        process.stderr.write(PROMPT)
        const typed = await keys.next()
        listening = typed !== undefined
        if (!listening) process.stderr.write('\n')
        if (typed?.trim() === 'q') return undefined
      }
      const { value, done } = await records.next()
      if (done) return undefined
      if (value.type === 'outcome') {
        for (const line of conclusion(value, clientId, now())) write(line)
        return value
      }
      write(report(value))
      const ended = value.checks?.some(isBreach) ?? false
      next = ended ? plan.length : value.repeats ? value.n - 1 : value.n
    }
  } finally {
    keys.close()
    await records.return(undefined)
  }
}
