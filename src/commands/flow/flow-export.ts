import { resolve } from 'node:path'
import type { FlowRecord, Outcome } from '../../flows/step.js'
import { UsageError } from '../../protocol/errors.js'
import { defined } from '../../protocol/values.js'
import { programVersion } from '../../protocol/version.js'
import { type ExportFormat, exportText } from '../../show/render/exports/export.js'
import type { CertificateFiles } from '../../show/render/exports/export-options.js'
import { outcomeText, stepLine } from '../../show/render/steps/plain.js'
import { narrate } from '../output/output.js'
import { lineWriter } from './flow-output.js'

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
export function writeExport(records: readonly FlowRecord[], run: RunToExport): void {
  const write = lineWriter(run.output)
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
  const all: FlowRecord[] = []
  let outcome: Outcome | undefined
  for await (const record of records) {
    all.push(record)
    if (record.type === 'outcome') outcome = record
    else narrate(stepLine(record, run))
  }
  if (outcome) for (const line of outcomeText(outcome, { ...run, showSecrets: false })) narrate(line)
  writeExport(all, run)
  if (run.format === 'curl' && run.lab?.embedded) {
    const more = run.cert === undefined ? '' : ' OAUTH_MTLS_SERVER=https://localhost:8449'
    narrate(
      `This lab ends now. To replay against another one:  OAUTH_SERVER=https://localhost:8443${more} sh FILE`,
    )
  }
  return outcome
}
