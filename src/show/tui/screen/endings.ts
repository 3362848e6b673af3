import { constants } from 'node:os'

/** Signals that end a screen. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

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
