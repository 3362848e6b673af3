import { createInterface } from 'node:readline/promises'
import type { AskLogin } from '../../client/login.js'
import type { Outcome } from '../../flows/step.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { defined } from '../../protocol/values.js'
import type { FlowSession } from '../../session/flow/flow-session.js'
import type { FlowRunOptions } from '../../session/options/table.js'
import { qrLines } from '../../show/render/text/qr.js'
import { narrate, worded } from '../output/output.js'
import type { OutputMode } from '../output/output-mode.js'
import { EXIT, type Interruption } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import {
  columnsOf,
  exportRun,
  finish,
  printBareToken,
  type RunToExport,
  recordLines,
  stepWriter,
  writeFlow,
} from './flow-output.js'
import type { SpokenMoves } from './read-aloud.js'

/** How a flow is shown. */
export interface TextShow {
  readonly flags: Pick<FlowRunOptions, 'export' | 'output' | 'cert' | 'certKey'>
  readonly globals: Globals
  readonly mode: OutputMode
  readonly interruption: Interruption
}

/** The run of a flow that text shows. */
interface TextRun extends Pick<RunToExport, 'flow' | 'clientId' | 'lab'> {
  readonly session: Pick<FlowSession, 'plan' | 'walk'>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The wrong moves that a listener may choose. */
  readonly moves?: SpokenMoves | undefined
}

/** The parts of the options of text that its records need. */
export function textOptions(
  { globals, mode, flags }: Pick<TextShow, 'globals' | 'mode' | 'flags'>,
  clientId: string,
) {
  const { showSecrets, ascii } = globals
  return { clientId, showSecrets, ascii, columns: columnsOf(flags.output), json: mode === 'json' }
}

/** Walks a flow, and writes it as lines, JSON, sentences or in the form of an export. */
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
  const aloud = mode === 'screen-reader' ? await import('./read-aloud.js') : undefined
  const outcome = aloud
    ? await aloud.readAloud(
        { plan: session.plan, records },
        spoken,
        line => write(worded(line)),
        signal,
        moves,
      )
    : await writeFlow(records, record => recordLines(record, shown), write)
  await printBareToken(output, outcome)
  return ended(outcome)
}

/**
 * Asks the person at the terminal for one-time codes, and for nothing else; undefined without a terminal. An empty line
 * cancels the login.
 */
export function codeAtTerminal(signal: AbortSignal): AskLogin | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return async ({ oneTimeCode, message }) => {
    if (!oneTimeCode) return { kind: 'cancel' }
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      const why = message === undefined ? '' : `${makeSafe(message)}\n`
      const typed = await terminal.question(`${why}One-time code (empty: cancel)  `, { signal })
      const code = typed.replaceAll(' ', '')
      return code === '' ? { kind: 'cancel' } : { kind: 'code', code }
    } finally {
      terminal.close()
    }
  }
}

/** Largest line of a pipe, in characters. */
const LONGEST = 64 * 1024

const QUESTION = 'Paste the address at which your browser ended, and press Enter (empty: cancel)'

/** Asks the person at the terminal, or reads the next line of a pipe, for the address with the answer. */
export function pasteAtTerminal(signal: AbortSignal): AskLogin {
  const nextLine = linesOfPipe(signal)
  return async ({ pastes, message }) => {
    if (pastes === undefined) return { kind: 'cancel' }
    if (message !== undefined) narrate(makeSafe(message))
    const typed = process.stdin.isTTY ? await asked(signal) : await nextLine()
    return typed?.trim() ? { kind: 'code', code: typed } : { kind: 'cancel' }
  }
}

async function asked(signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(`${QUESTION}\n`, { signal })
  } finally {
    terminal.close()
  }
}

/** Lets a pipe that stays open keep this program running, or not. A file as stdin has no such setting. */
function holdOpen(isHeld: boolean): void {
  const pipe: { ref?: () => unknown; unref?: () => unknown } = process.stdin
  if (isHeld) pipe.ref?.()
  else pipe.unref?.()
}

/** Reads the lines of stdin one at a time; undefined at its end. Later lines wait for later questions. */
function linesOfPipe(signal: AbortSignal): () => Promise<string | undefined> {
  let kept = ''
  let ended = false
  const take = (): string | undefined => {
    const end = kept.indexOf('\n')
    if (end < 0 && !ended && kept.length <= LONGEST) return undefined
    const line = end < 0 ? kept : kept.slice(0, end)
    kept = end < 0 ? '' : kept.slice(end + 1)
    return line
  }
  return () =>
    new Promise((resolve, reject) => {
      narrate(QUESTION)
      const finish = (settle: () => void) => {
        process.stdin.off('data', onData).off('end', onEnd).pause()
        holdOpen(false)
        signal.removeEventListener('abort', onAbort)
        settle()
      }
      const onData = (chunk: Buffer | string) => {
        kept += String(chunk)
        const line = take()
        if (line !== undefined) finish(() => resolve(line))
      }
      const onEnd = () => {
        ended = true
        finish(() => resolve(take()))
      }
      const onAbort = () => finish(() => reject(signal.reason))
      const ready = take()
      if (ready !== undefined) resolve(ready)
      else {
        signal.addEventListener('abort', onAbort, { once: true })
        holdOpen(true)
        process.stdin.on('data', onData).on('end', onEnd).resume()
      }
    })
}

/** Draws addresses as QR codes on the terminal of stderr; undefined without a terminal. */
export function qrAtTerminal(ascii: boolean): ((url: string) => Promise<readonly string[]>) | undefined {
  const { isTTY, columns = 80, rows = 24 } = process.stderr
  return isTTY ? url => qrLines(url, { columns, rows, ascii }) : undefined
}
