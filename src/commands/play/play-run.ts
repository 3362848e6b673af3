import type { FlowRecord } from '../../flows/step.js'
import { factsOf, numbered, readRecording } from '../../session/playback/recording.js'
import type { ExportFormat } from '../../show/render/exports/export.js'
import {
  checkExport,
  columnsOf,
  lineWriter,
  recordLines,
  writeExport,
  writeFlow,
} from '../flow/flow-output.js'
import { worded } from '../output/output.js'
import { terminalMode } from '../output/output-mode.js'
import { EXIT, watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

async function* again(records: readonly FlowRecord[]): AsyncGenerator<FlowRecord, void, void> {
  yield* records
}

/**
 * `oauth-lab play`: shows a recorded run as it was shown when it happened. Nothing is sent.
 * @returns the exit code: done, whatever the outcome of the recorded run was
 */
export async function playRecording(file: string, flags: PlayFlags, globals: Globals): Promise<number> {
  checkExport(flags.export, globals.json)
  const records = await readRecording(file)
  const { plan, now, ...facts } = factsOf(records.filter(record => record.type === 'step'))
  const { showSecrets, ascii, json } = globals
  const shown = { ...facts, showSecrets, ascii }
  if (flags.export !== undefined) {
    const { output } = flags
    await writeExport(records, { ...shown, format: flags.export, ...(output !== undefined && { output }) })
    return EXIT.done
  }
  const counted = numbered(records, plan)
  const mode = terminalMode({ ...flags, json })
  if (mode === 'tui') {
    const { runFlowScreen } = await import('../../show/tui/flow/run.js')
    await runFlowScreen({ ...shown, command: 'play', plan, now, start: () => again(counted) })
    return Number(process.exitCode ?? EXIT.done)
  }
  const write = lineWriter(flags.output)
  const text = { ...shown, plan, now, columns: columnsOf(flags.output), json: mode === 'json' }
  if (mode === 'screen-reader') {
    const { readAloud } = await import('../flow/read-aloud.js')
    const { signal } = watchSignals()
    await readAloud({ plan, records: again(counted) }, text, line => write(worded(line)), signal)
  } else await writeFlow(again(records), record => recordLines(record, text), write)
  return EXIT.done
}

/** Options of `play`. */
export interface PlayFlags {
  readonly plain?: true
  readonly screenReader?: true
  readonly export?: ExportFormat
  readonly output?: string
}
