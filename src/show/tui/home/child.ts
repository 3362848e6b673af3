import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { signalExitCode } from '../screen/terminal.js'

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/**
 * Stops reading the terminal, so that every key is for the next reader. A stream that was read by `readable` forgets in
 * the next turn that it was, and does not stop before; the stop itself takes a turn more, and would undo a start in
 * between.
 */
async function stopReading(): Promise<void> {
  await turn()
  process.stdin.pause()
  await turn()
}

/** How a command of the menu ended. */
export interface ChildEnded {
  /** Its exit code, as a shell counts it where a signal ended it. */
  readonly code: number
  /** The signal that this process got meanwhile, which ends the menu too. */
  readonly signal?: 'SIGTERM' | 'SIGHUP'
}

/** Long enough for a screen to restore the terminal, which it must do before the shell takes it. Milliseconds. */
const RESTORING = 300

/** The arguments of node that start this program again. */
export function ownWords(): string[] {
  return [...process.execArgv, ...process.argv.slice(1, 2)]
}

/** Runs the program once more, in the same terminal, as a shell would. */
export function runChild(argv: readonly string[]): Promise<ChildEnded> {
  return runHere(async () => spawn(process.execPath, [...ownWords(), ...argv], { stdio: 'inherit' }))
}

/**
 * Runs a program in the same terminal, as a shell would. A process of its own: whatever ends it, the menu is there
 * afterwards. Ctrl-C reaches it from the terminal, which is why it is not for this process meanwhile; SIGTERM and SIGHUP are handed on.
 * Ctrl-Z reaches it too, and this process, which the shell waits for, stops behind it.
 */
export async function runHere(start: () => Promise<ChildProcess>): Promise<ChildEnded> {
  await stopReading()
  const child = await start()
  return new Promise((resolve, reject) => {
    let ended: ChildEnded['signal']
    const ignore = (): void => {}
    const end = (signal: 'SIGTERM' | 'SIGHUP') => (): void => {
      ended = signal
      child.kill(signal)
    }
    const stopBehind = (): void => {
      setTimeout(() => process.kill(process.pid, 'SIGSTOP'), RESTORING)
    }
    const handlers = [
      ['SIGINT', ignore],
      ['SIGQUIT', ignore],
      ['SIGTERM', end('SIGTERM')],
      ['SIGHUP', end('SIGHUP')],
      ...(process.platform === 'win32' ? [] : [['SIGTSTP', stopBehind] as const]),
    ] as const
    for (const [signal, handler] of handlers) process.on(signal, handler)
    const stop = (): void => {
      for (const [signal, handler] of handlers) process.off(signal, handler)
    }
    child.once('error', error => {
      stop()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      stop()
      resolve({
        code: code ?? 128 + (signal ? constants.signals[signal] : 0),
        ...(ended && { signal: ended }),
      })
    })
  })
}

/** Signals that end the pause, as commands watch them. */
export interface PauseInterruption {
  readonly signal: AbortSignal
  exitCode(): number | undefined
  ignore(): void
}

/** The meaning of a key after a command; undefined for a key without one. */
export function pauseKey(key: string): 'menu' | 'quit' | 'interrupt' | undefined {
  if (key === '\x03') return 'interrupt'
  if (['q', 'Q', '\x04'].includes(key)) return 'quit'
  return ['\r', '\n', ' ', '\x1b'].includes(key) ? 'menu' : undefined
}

/**
 * Leaves what a command printed on the terminal until the person has read it.
 * @returns the exit code where they want to quit; undefined: back to the menu
 */
export async function pause(code: number, interruption: PauseInterruption): Promise<number | undefined> {
  const { stdin, stdout } = process
  stdout.write(`\nexit ${code}   enter back to the menu   q quit\n`)
  const { signal, exitCode, ignore } = interruption
  stdin.setEncoding('utf8')
  stdin.setRawMode(true)
  stdin.ref()
  stdin.resume()
  try {
    return await new Promise<number | undefined>(resolve => {
      const done = (result: number | undefined): void => {
        stdin.off('data', read)
        resolve(result)
      }
      const read = (text: string): void => {
        const meant = pauseKey(text)
        if (meant === 'menu') done(undefined)
        else if (meant !== undefined) done(meant === 'quit' ? 0 : signalExitCode('SIGINT'))
      }
      stdin.on('data', read)
      stdin.once('end', () => done(0))
      signal.addEventListener('abort', () => done(exitCode()), { once: true })
    })
  } finally {
    ignore()
    if (!stdin.destroyed) stdin.setRawMode(false)
    stdin.unref()
    await stopReading()
  }
}
