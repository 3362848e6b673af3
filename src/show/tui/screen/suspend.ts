import type { Terminal } from './terminal.js'

/** Long enough for Ink to draw the empty frame, so that the next one differs and is drawn whole. */
const BLANK = 60

/** The objects that suspending uses. */
export interface SuspendPorts {
  readonly terminal: Terminal
  readonly stdin: NodeJS.ReadStream
  /** Empties the frame, or draws it again. */
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
    setTimeout(() => setAsleep(false), BLANK)
  }
  const stop = (): void => {
    asleep = true
    setAsleep(true)
    terminal.leave()
    stdin.setRawMode(false)
    process.off('SIGTSTP', stop)
    process.kill(process.pid, 'SIGTSTP')
    // A process group without a shell above it is not stopped; then there is no SIGCONT either.
    setTimeout(resume, BLANK)
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
