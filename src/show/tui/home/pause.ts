import { signalExitCode } from '../screen/endings.js'
import { stopReading } from './stdin.js'

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
