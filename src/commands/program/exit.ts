/** Exit codes of every command (see the README, "Exit codes"). */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  transport: 3,
  bug: 70,
  timeout: 124,
  interrupted: 130,
  terminated: 143,
} as const

/** A signal of the terminal or the system as an AbortSignal. */
export interface Interruption {
  readonly signal: AbortSignal
  /** The exit code of the signal that came. */
  exitCode(): number | undefined
  /** Stops listening. */
  ignore(): void
  /** Does work while another program has the terminal: Ctrl-C is for that program, and not for this one. */
  aside<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Turns SIGINT, SIGTERM and SIGHUP into an abort; a second one ends the program at once. */
export function watchSignals(): Interruption {
  const controller = new AbortController()
  let exitCode: number | undefined
  const ending = (code: number) => (): void => {
    if (exitCode !== undefined) process.exit(exitCode)
    exitCode = code
    controller.abort(new Error('interrupted'))
  }
  const interrupted = ending(EXIT.interrupted)
  const handlers = [
    ['SIGINT', interrupted],
    ['SIGTERM', ending(EXIT.terminated)],
    ['SIGHUP', ending(129)],
  ] as const
  for (const [name, handler] of handlers) process.on(name, handler)
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    ignore: () => {
      for (const [name, handler] of handlers) process.off(name, handler)
    },
    async aside(work) {
      const nothing = (): void => {}
      process.on('SIGINT', nothing)
      process.off('SIGINT', interrupted)
      try {
        return await work()
      } finally {
        process.on('SIGINT', interrupted)
        process.off('SIGINT', nothing)
      }
    },
  }
}

/** Does work that a signal ends. @returns the exit code of the work, or of the signal that made it fail */
export async function untilSignal(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const { signal, exitCode, ignore } = watchSignals()
  try {
    return await work(signal)
  } catch (error) {
    const code = exitCode()
    if (code !== undefined) return code
    throw error
  } finally {
    ignore()
  }
}
