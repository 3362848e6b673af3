import type { Outcome } from '../../flows/step.js'
import { defined } from '../../protocol/values.js'
import type { FlowSession } from '../../session/flow/flow-session.js'
import type { FlowRunOptions } from '../../session/options/table.js'
import { narrate, worded } from '../output/output.js'
import type { OutputMode } from '../output/output-mode.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import type { Interruption } from '../program/signals.js'
import { printBareToken, stepWriter } from './bare-token.js'
import { codeAtTerminal } from './code-at-terminal.js'
import { finish } from './flow-end.js'
import { exportRun, type RunToExport } from './flow-export.js'
import { recordLines, writeFlow } from './flow-output.js'
import { readAloud, type SpokenMoves } from './read-aloud.js'

/** How a flow is shown. */
export interface TextShow {
  readonly flags: Pick<FlowRunOptions, 'export' | 'output' | 'cert' | 'certKey'>
  readonly globals: Globals
  readonly mode: OutputMode
  readonly interruption: Interruption
}

/** The run of a flow that text shows. */
export interface TextRun extends Pick<RunToExport, 'flow' | 'clientId' | 'lab'> {
  readonly session: Pick<FlowSession, 'plan' | 'walk'>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The wrong moves that a listener may choose. */
  readonly moves?: SpokenMoves | undefined
}

/** The parts of the options of text that its records need. */
export function textOptions({ globals, mode }: Pick<TextShow, 'globals' | 'mode'>, clientId: string) {
  const { showSecrets, ascii } = globals
  return { clientId, showSecrets, ascii, json: mode === 'json' }
}

/**
 * Walks a flow, and writes it as lines, JSON, sentences or in the form of an export.
 * @returns the exit code
 */
export async function showAsText(show: TextShow, run: TextRun): Promise<number> {
  const { flags, mode, interruption } = show
  const { session, flow, clientId, now, lab, moves } = run
  const { signal } = interruption
  const ended = (outcome: Outcome | undefined): number =>
    outcome ? finish(outcome, interruption) : (interruption.exitCode() ?? EXIT.done)
  const records = session.walk(
    defined({ signal, say: narrate, ask: mode === 'plain' ? codeAtTerminal(signal) : undefined }),
  )
  const shown = textOptions(show, clientId)
  const { export: format, output, cert, certKey } = flags
  if (format) {
    return ended(await exportRun(records, defined({ ...shown, flow, format, output, cert, certKey, lab })))
  }
  const write = stepWriter(output)
  const spoken = { flow, clientId, now }
  const outcome =
    mode === 'screen-reader'
      ? await readAloud({ plan: session.plan, records }, spoken, line => write(worded(line)), signal, moves)
      : await writeFlow(records, record => recordLines(record, shown), write)
  printBareToken(output, outcome)
  return ended(outcome)
}
