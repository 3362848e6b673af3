import { constants } from 'node:os'
import type { Line, Span, Tone } from '../../render/text/spans.js'
import { width } from '../../render/text/text.js'

/** A line as a terminal takes it, with or without colours. Its text has to be safe. */
export function paint(line: Line, colours: boolean): string {
  return line
    .map(({ text, tone }) => {
      const look = colours && text !== '' ? THEME[tone] : undefined
      return look === undefined ? text : `\x1b[${look[0]}m${text}\x1b[${look[1]}m`
    })
    .join('')
}

/**
 * Switches a style on and off: parameters of SGR, the control sequence for colours and the like (ECMA-48 §8.3.117).
 */
type Look = readonly [on: string, off: string]

/**
 * The style of each tone. The terminal's own foreground and its named colours, so that light and dark terminals both
 * stay readable; a colour never says what a sign or word does not.
 */
export const THEME: Readonly<Record<Tone, Look | undefined>> = {
  plain: undefined,
  dim: ['2', '22'],
  strong: ['1', '22'],
  title: ['1', '22'],
  name: ['36', '39'],
  done: ['32', '39'],
  now: ['1;36', '22;39'],
  look: ['33', '39'],
  refused: ['1;31', '22;39'],
  hit: ['7', '27'],
}

/** Terminals that know these draw what is between them at once; the others ignore them (DEC private mode 2026). */
const BEGIN = '\x1b[?2026h'
const END = '\x1b[?2026l'

/** Characters from the beginning that two texts share, as far as each is one column wide. */
function sharedStart(before: string, after: string): number {
  let at = 0
  while (at < before.length && before[at] === after[at] && /[ -~]/.test(before[at]!)) at++
  return at
}

/** The rest of a line from its first difference on, and the column where it begins; undefined without a difference. */
function difference(before: Line, after: Line): { readonly column: number; readonly rest: Line } | undefined {
  const same = (i: number): boolean =>
    before[i]?.text === after[i]?.text && before[i]?.tone === after[i]?.tone
  let first = 0
  while (first < after.length && same(first)) first++
  if (first === after.length && first >= before.length) return undefined
  const [old, now] = [before[first], after[first]]
  const shared = old && now && old.tone === now.tone ? sharedStart(old.text, now.text) : 0
  const kept = after.slice(0, first).reduce((text, piece: Span) => text + piece.text, '')
  // Terminals differ about the columns of wide characters: behind one, no column is certain.
  if (width(kept) !== kept.length) return { column: 0, rest: after }
  const changed = now === undefined ? [] : [{ ...now, text: now.text.slice(shared) }]
  return { column: kept.length + shared, rest: [...changed, ...after.slice(first + 1)] }
}

/** Draws frames from the first line of the terminal on: of each line what changed, from its first changed character. */
export function createPainter(colours: boolean) {
  let drawn: readonly Line[] = []
  return {
    /** The control sequences that draw a frame over the one before; empty for one that looks like it. */
    paint(frame: readonly Line[]): string {
      const rows = Math.max(frame.length, drawn.length)
      let text = ''
      for (let row = 0; row < rows; row++) {
        const { column, rest } = difference(drawn[row] ?? [], frame[row] ?? []) ?? {}
        if (column === undefined || rest === undefined) continue
        // Erased first: a line that fills its row would lose its last character.
        text += `\x1b[${row + 1};${column + 1}H\x1b[K${paint(rest, colours)}`
      }
      drawn = frame
      return text === '' ? '' : `${BEGIN}${text}${END}`
    },
    /** The terminal was cleared: the next frame is drawn whole. */
    forget() {
      drawn = []
    },
  }
}

const ENTER = '\x1b[?1049h\x1b[2J\x1b[H\x1b[?25l\x1b[?2004h'
// Cleared first: tmux 3.3 otherwise moves lines of the alternate screen into the scrollback after a resize.
const LEAVE = '\x1b[2J\x1b[H\x1b[?2004l\x1b[?25h\x1b[?1049l'
const CLEAR = '\x1b[2J\x1b[H'

/** The terminal as a screen borrows it: the alternate screen, and the way back. */
interface Terminal {
  /** Stdout for Ink, which reads keys and draws nothing. Never without a size. */
  readonly stdout: NodeJS.WriteStream
  /** Draws a frame: of each line what changed. Does nothing while the terminal is not borrowed. */
  readonly draw: (frame: readonly Line[]) => void
  /** Switches to the alternate screen, hides the cursor, asks for marks around pasted text. */
  readonly enter: () => void
  /** Undoes all of it; does nothing the second time. */
  readonly leave: () => void
}

/** Ink measures through this, and writes nothing; everything else is the terminal's own. */
function guard(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = (...chunk: unknown[]): boolean => {
    const done = chunk.at(-1)
    if (typeof done === 'function') done()
    return true
  }
  return new Proxy(stdout, {
    get(target, name) {
      if (name === 'write') return write
      if (name === 'columns') return target.columns || 80
      if (name === 'rows') return target.rows || 24
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** As its name and the environment say; the launcher sees to NO_COLOR and --no-color. */
function hasColours(stdout: Partial<NodeJS.WriteStream>): boolean {
  return (stdout.getColorDepth?.() ?? 1) > 1
}

/** Borrows a terminal. */
export function createTerminal(stdout: NodeJS.WriteStream): Terminal {
  let entered = false
  const { paint, forget } = createPainter(hasColours(stdout))
  // A terminal that rewraps its lines leaves pieces behind; this clears them before the next frame.
  const clear = () => {
    if (!entered) return
    forget()
    stdout.write(CLEAR)
  }
  return {
    stdout: guard(stdout),
    draw(frame) {
      const changes = entered ? paint(frame) : ''
      if (changes !== '') stdout.write(changes)
    },
    enter: () => {
      if (entered) return
      entered = true
      forget()
      stdout.prependListener('resize', clear)
      stdout.write(ENTER)
    },
    leave: () => {
      if (!entered) return
      entered = false
      stdout.off('resize', clear)
      // A terminal that hung up takes nothing any more.
      if (!stdout.destroyed) stdout.write(LEAVE)
    },
  }
}

/** Longest wait for the stop of a process group that a shell does not stop, milliseconds. */
const NOT_STOPPED = 60

/** The objects that suspending uses. */
interface SuspendPorts {
  readonly terminal: Terminal
  readonly stdin: NodeJS.ReadStream
  /** Draws nothing, or draws again. */
  readonly setAsleep: (asleep: boolean) => void
}

/** SIGTSTP and Ctrl-Z: the terminal goes back to the shell, and comes back with SIGCONT. */
export function createSuspend({ terminal, stdin, setAsleep }: SuspendPorts): {
  /** As the terminal driver does it: the whole job stops, so that the shell has its prompt again. */
  readonly suspendJob: () => void
  readonly listen: () => void
  readonly unlisten: () => void
} {
  let asleep = false
  const resume = (): void => {
    if (!asleep) return
    asleep = false
    process.on('SIGTSTP', stop)
    stdin.setRawMode(true)
    terminal.enter()
    setAsleep(false)
  }
  const stop = (): void => {
    asleep = true
    setAsleep(true)
    terminal.leave()
    stdin.setRawMode(false)
    process.off('SIGTSTP', stop)
    process.kill(process.pid, 'SIGTSTP')
    // A process group without a shell above it is not stopped; then there is no SIGCONT either.
    setTimeout(resume, NOT_STOPPED)
  }
  return {
    suspendJob: () => {
      if (process.platform !== 'win32') process.kill(0, 'SIGTSTP')
    },
    listen: () => {
      if (process.platform === 'win32') return
      process.on('SIGTSTP', stop)
      process.on('SIGCONT', resume)
    },
    unlisten: () => {
      process.off('SIGTSTP', stop)
      process.off('SIGCONT', resume)
    },
  }
}

/** Signals that end a screen. */
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type EndingSignal = (typeof ENDING_SIGNALS)[number]

/** The exit code of a program that a signal ended, as shells count it: 130 for SIGINT. */
export function signalExitCode(signal: EndingSignal): number {
  return 128 + constants.signals[signal]
}

/**
 * Calls `end` for the first signal, and `restore` whatever else ends the process, so that no terminal is left in the
 * alternate screen. Returns the function that stops listening.
 */
export function watchEndings(ports: {
  readonly end: (signal: EndingSignal) => void
  readonly restore: () => void
}): () => void {
  const handlers = ENDING_SIGNALS.map(signal => [signal, () => ports.end(signal)] as const)
  for (const [signal, handler] of handlers) process.on(signal, handler)
  process.on('exit', ports.restore)
  process.on('uncaughtExceptionMonitor', ports.restore)
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler)
    process.off('exit', ports.restore)
    process.off('uncaughtExceptionMonitor', ports.restore)
  }
}
