import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { stopReading } from './stdin.js'

/** How a command of the menu ended. */
export interface ChildEnded {
  /** Its exit code, as a shell counts it where a signal ended it. */
  readonly code: number
  /** The signal that this process got meanwhile, which ends the menu too. */
  readonly signal?: 'SIGTERM' | 'SIGHUP'
}

/** Long enough for a screen to restore the terminal, which it must do before the shell takes it. Milliseconds. */
const RESTORING = 300

/** The arguments that start this program again. */
function ownWords(): string[] {
  return [...process.execArgv, ...process.argv.slice(1, 2)]
}

/**
 * Runs the program once more, in the same terminal, as a shell would. A process of its own: whatever ends it, the menu is there
 * afterwards. Ctrl-C reaches it from the terminal, which is why it is not for this process meanwhile; SIGTERM and SIGHUP are handed on.
 * Ctrl-Z reaches it too, and this process, which the shell waits for, stops behind it.
 */
export async function runChild(argv: readonly string[]): Promise<ChildEnded> {
  await stopReading()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...ownWords(), ...argv], { stdio: 'inherit' })
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
