import { constants } from 'node:os'
import type { Line } from '../../render/text/spans.js'
import { createPainter } from './painter.js'

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
