import { openSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FlowRecord, Outcome } from '../../flows/step.js'
import { fileProblem, NO_FOLDER, UsageError } from '../../protocol/errors.js'
import { makeSafe, safeLines } from '../../protocol/safe-output/safe.js'
import { defined } from '../../protocol/values.js'
import { programVersion } from '../../protocol/version.js'
import { writeExact } from '../../session/output/writer.js'
import type { ExportFormat } from '../../show/render/exports/export.js'
import type { CertificateFiles } from '../../show/render/exports/export-options.js'
import { outcomeText, type PlainOptions, plainStepLines } from '../../show/render/steps/plain.js'
import { flowJson } from '../../show/render/text/json.js'
import { narrate, printData, terminalColumns } from '../output/output.js'
import { EXIT, type Interruption } from '../program/exit.js'

/** Writes one whole line. */
export type WriteLine = (line: string) => void

/**
 * Opens the output: stdout, or a file that only its owner can read, because it may hold tokens.
 * @throws UsageError
 */
export function lineWriter(file: string | undefined): WriteLine {
  if (file === undefined) return line => printData(line)
  let descriptor: number
  try {
    descriptor = openSync(file, 'w', 0o600)
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${fileProblem(error, NO_FOLDER)}`)
  }
  return line => writeSync(descriptor, `${safeLines(line)}\n`)
}

/** The lines of one record. */
export function recordLines(
  record: FlowRecord,
  options: PlainOptions & { readonly json: boolean },
): string[] {
  if (options.json) return [flowJson(record, options)]
  return record.type === 'step' ? plainStepLines(record, options) : outcomeText(record, options)
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

/** A run to write in another form. */
export interface RunToExport {
  readonly format: ExportFormat
  /** The name of the flow, such as `authorization code`. */
  readonly flow: string
  readonly clientId: string
  readonly showSecrets: boolean
  readonly ascii: boolean
  /** The output file; absent: stdout. */
  readonly output?: string
  /** The lab of the run, where it was one. */
  /** The files of the client's certificate, as they were named. */
  readonly cert?: string
  readonly certKey?: string
  readonly lab?: { readonly caPem?: string | undefined; readonly embedded: boolean }
}

/** Refuses two forms of output at once. @throws UsageError */
export function checkExport(format: ExportFormat | undefined, json: boolean): void {
  if (format === undefined || !json) return
  throw new UsageError(`--json and --export ${format} are two forms of the same result`, ['Leave one out'])
}

/** Writes a run that is complete. */
export async function writeExport(
  records: readonly FlowRecord[],
  run: RunToExport,
  write = lineWriter(run.output),
): Promise<void> {
  const { exportText } = await import('../../show/render/exports/export.js')
  const { format, flow, clientId, showSecrets, lab } = run
  const caPem = lab?.caPem
  const options = { flow, clientId, showSecrets, version: programVersion() }
  write(
    exportText(format, records, {
      ...options,
      ...defined({ caPem, certificate: certificateOf(run) }),
    }).trimEnd(),
  )
}

/** The files of a client's certificate by absolute paths: a script may run in another folder. Undefined for none. */
function certificateOf({ cert, certKey }: RunToExport): CertificateFiles | undefined {
  if (cert === undefined || certKey === undefined) return undefined
  return { cert: resolve(cert), key: resolve(certKey) }
}

/**
 * Runs a flow to its end, prints its steps on stderr, and writes it in another form.
 * @returns the outcome; undefined where the flow had no outcome
 */
export async function exportRun(
  records: AsyncIterable<FlowRecord>,
  run: RunToExport,
): Promise<Outcome | undefined> {
  const text = { ...run, columns: terminalColumns('stderr') }
  // A run whose output has no place would be lost at its end.
  const write = lineWriter(run.output)
  const all: FlowRecord[] = []
  let outcome: Outcome | undefined
  for await (const record of records) {
    all.push(record)
    if (record.type === 'outcome') outcome = record
    else for (const line of plainStepLines(record, text)) narrate(line)
  }
  if (outcome) for (const line of outcomeText(outcome, { ...text, showSecrets: false })) narrate(line)
  await writeExport(all, run, write)
  if (run.format === 'curl' && run.lab?.embedded) {
    const more = run.cert === undefined ? '' : ' OAUTH_MTLS_SERVER=https://localhost:8449'
    narrate(
      `This lab ends now. To replay against another one:  OAUTH_SERVER=https://localhost:8443${more} sh FILE`,
    )
  }
  return outcome
}

/** The word of `-o` for the access token alone. A file of that name is `./token`. */
const BARE_TOKEN = 'token'

/** Refuses a second form of output beside the bare token. @throws UsageError */
export function checkBareToken(
  { output, export: format }: { readonly output?: string; readonly export?: string },
  json: boolean,
): void {
  if (output !== BARE_TOKEN || (!json && format === undefined)) return
  const other = json ? '--json' : `--export ${format}`
  throw new UsageError(`-o token prints the bare token, and ${other} another form`, [
    'Leave one out; for a file of that name write:  -o ./token',
  ])
}

/** Columns of the terminal that the steps of a flow go to; undefined for a file or a pipe. */
export function columnsOf(output: string | undefined): number | undefined {
  if (output === undefined) return terminalColumns()
  return output === BARE_TOKEN ? terminalColumns('stderr') : undefined
}

/** Opens the output of a flow. Where the result is the bare token, steps go to stderr. @throws UsageError */
export function stepWriter(output: string | undefined): WriteLine {
  return output === BARE_TOKEN ? narrate : lineWriter(output)
}

/** Prints the access token of a flow that was granted, where that is the result. */
export async function printBareToken(output: string | undefined, ending: Outcome | undefined): Promise<void> {
  if (output !== BARE_TOKEN || ending?.outcome !== 'granted') return
  const { tokens } = ending
  if (tokens?.access_token) await writeExact(`${tokens.access_token}\n`)
  else narrate('This flow ended without an access token.')
}

/**
 * The exit code of an outcome. A wrong move that was refused is a success, in whatever form the refusal came; so is one
 * that harms nobody here. The doctor remarks on both.
 */
export function exitCodeOf(outcome: Outcome, { exitCode }: Pick<Interruption, 'exitCode'>): number {
  const { outcome: ending, expected, tamper } = outcome
  // The move had no place in this flow: nothing was judged.
  if (outcome.error?.error === 'not_here') return EXIT.usage
  if (ending !== 'failed' && expected !== undefined) {
    const refused = ending === 'refused' && tamper?.found !== undefined
    return expected || refused || tamper?.harmless !== undefined ? EXIT.done : EXIT.refused
  }
  if (ending === 'granted') return EXIT.done
  if (ending === 'refused') return EXIT.refused
  if (outcome.error?.error === 'timeout') return EXIT.timeout
  return exitCode() ?? EXIT.transport
}

/** Explains a failure of the network on stderr, and returns the exit code. */
export function finish(outcome: Outcome, interruption: Interruption): number {
  const { error } = outcome
  if (outcome.outcome === 'failed' && error && interruption.exitCode() === undefined) {
    const hints = error.hints ?? []
    narrate([`oauth-lab: ${makeSafe(error.error_description)}`, ...hints.map(hint => `  ${hint}`)].join('\n'))
  }
  return exitCodeOf(outcome, interruption)
}
