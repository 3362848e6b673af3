import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import type { CommandOutput } from '../../../show/tui/learn/content.js'

/** Most characters and lines of an output that are kept; what came before is left out. */
const MAX_CHARACTERS = 100_000
const MAX_LINES = 1_000

/** Milliseconds between two reports of an output that grows. */
const PAUSE = 60

/** Milliseconds that a command may take to end after it was asked to. */
const PATIENCE = 3_000

/** Escape sequences that only colour or move: a pane shows text alone. */
const ESCAPES = /\x1b\[[0-9;?]*[ -/]*[@-~]/g

/** A command that runs. */
export interface CapturedCommand {
  readonly ended: Promise<void>
  /** Asks it to end, and kills it when it does not. */
  stop(): void
}

/** The lines of a text, the last whole ones. */
function linesOf(text: string): { readonly lines: readonly string[]; readonly cut: boolean } {
  const all = text.replace(ESCAPES, '').replace(/\n$/, '').split(/\r?\n/)
  return { lines: all.slice(-MAX_LINES), cut: all.length > MAX_LINES }
}

/**
 * Runs this program with other arguments, without a shell and without a terminal, and reports what it prints.
 * @param line the line as it was typed
 */
export function runCaptured(
  line: string,
  args: readonly string[],
  report: (output: CommandOutput) => void,
): CapturedCommand {
  let text = ''
  let dropped = false
  let timer: NodeJS.Timeout | undefined
  let killer: NodeJS.Timeout | undefined
  const now = (code?: number): void => {
    clearTimeout(timer)
    timer = undefined
    const { lines, cut } = linesOf(text)
    const known = { line, lines: text === '' ? [] : lines, cut: cut || dropped }
    report(code === undefined ? { ...known, running: true } : { ...known, running: false, code })
  }
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const take = (decoder: StringDecoder) => (bytes: Buffer) => {
    text += decoder.write(bytes)
    if (text.length > MAX_CHARACTERS) {
      text = text.slice(text.length - MAX_CHARACTERS)
      dropped = true
    }
    timer ??= setTimeout(now, PAUSE)
  }
  child.stdout.on('data', take(new StringDecoder('utf8')))
  child.stderr.on('data', take(new StringDecoder('utf8')))
  now()
  const ended = new Promise<void>(resolve => {
    child.once('error', error => {
      text += `${error.message}\n`
      now(70)
      resolve()
    })
    child.once('close', (code, signal) => {
      clearTimeout(killer)
      now(code ?? 128 + (signal ? constants.signals[signal] : 0))
      resolve()
    })
  })
  return {
    ended,
    stop() {
      if (killer !== undefined) return
      child.kill('SIGINT')
      killer = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
    },
  }
}
