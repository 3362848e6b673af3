import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalGroup } from '../../../learn/probe/client-process.js'
import type { CommandOutput } from '../../../show/tui/learn/content.js'

/** Most characters and lines of an output that are kept; what came before is left out. */
const MAX_CHARACTERS = 100_000
const MAX_LINES = 1_000

/** Milliseconds between two reports of an output that grows. */
const PAUSE = 60

/** Milliseconds that a command may take to end after it was asked to. */
const PATIENCE = 3_000

/** Milliseconds between two checks of programs that a command left behind. */
const PERIOD = 200

/** Escape sequences that only colour or move: a pane shows text alone. */
const ESCAPES = /\x1b\[[0-9;?]*[ -/]*[@-~]/g

/** The text of a line that was written over, such as a progress bar. */
const OVERWRITTEN = /^.*\r(?=[^\r])/gm

/** Sentences of programs that want a keyboard. */
const WANTS_KEYBOARD = /not a (?:tty|terminal)|inappropriate ioctl|no tty present/i

const NO_KEYBOARD = 'A line in this pane has no keyboard. With ! in front it gets the whole terminal.'

/** A command that runs. */
export interface CapturedCommand {
  /** Resolves when the command and everything that it started have ended. */
  readonly ended: Promise<void>
  /** Asks all of it to end, and kills it when it does not. */
  stop(): void
}

/** The lines of a text, the last whole ones. */
function linesOf(text: string): { readonly lines: readonly string[]; readonly cut: boolean } {
  const all = text
    .replace(ESCAPES, '')
    .replace(/(?<!\r)\r+\n/g, '\n')
    .replace(OVERWRITTEN, '')
    .replace(/\n$/, '')
    .split('\n')
  return { lines: all.slice(-MAX_LINES), cut: all.length > MAX_LINES }
}

/**
 * Follows a command that leads its process group, and reports what it prints.
 * @param typed the line as it was typed, and whether a shell runs it
 * @param child its stdout and stderr are pipes
 */
export function followCommand(
  typed: Pick<CommandOutput, 'line' | 'shell'>,
  child: ChildProcess,
  report: (output: CommandOutput) => void,
): CapturedCommand {
  let text = ''
  let dropped = false
  let timer: NodeJS.Timeout | undefined
  let killer: NodeJS.Timeout | undefined
  let killed = false
  const now = (code?: number): void => {
    clearTimeout(timer)
    timer = undefined
    const { lines, cut } = linesOf(text)
    const known = { ...typed, lines: text === '' ? [] : lines, cut: cut || dropped }
    report(code === undefined ? { ...known, running: true } : { ...known, running: false, code })
  }
  const take = (decoder: StringDecoder) => (bytes: Buffer) => {
    text += decoder.write(bytes)
    if (text.length > MAX_CHARACTERS) {
      text = text.slice(text.length - MAX_CHARACTERS)
      dropped = true
    }
    timer ??= setTimeout(now, PAUSE)
  }
  child.stdout?.on('data', take(new StringDecoder('utf8')))
  child.stderr?.on('data', take(new StringDecoder('utf8')))
  now()
  const kill = (): void => {
    killed = true
    signalGroup(child, 'SIGKILL')
  }
  process.once('exit', kill)

  async function end(code: number): Promise<void> {
    // A line such as `oauth-lab serve >log &` ends at once, and its server runs.
    while (!killed && signalGroup(child, 0)) await sleep(PERIOD)
    clearTimeout(killer)
    process.off('exit', kill)
    if (code !== 0 && WANTS_KEYBOARD.test(text)) text += `\n${NO_KEYBOARD}`
    now(code)
  }
  const ended = new Promise<void>(resolve => {
    child.once('error', error => {
      text += `${error.message}\n`
      void end(70).then(resolve)
    })
    child.once('close', (code, signal) => {
      void end(code ?? 128 + (signal ? constants.signals[signal] : 0)).then(resolve)
    })
  })
  return {
    ended,
    stop() {
      if (killer !== undefined) return
      signalGroup(child, 'SIGINT')
      killer = setTimeout(kill, PATIENCE)
    },
  }
}
