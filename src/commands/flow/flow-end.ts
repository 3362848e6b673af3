import type { Outcome } from '../../flows/step.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { narrate } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Interruption } from '../program/signals.js'

/**
 * The exit code of an outcome. A wrong move that was refused is a success, in whatever form the refusal came; so is one
 * that harms nobody here. The doctor remarks on both.
 */
export function exitCodeOf(outcome: Outcome, { exitCode }: Pick<Interruption, 'exitCode'>): number {
  const { outcome: ending, expected, tamper } = outcome
  // The move had no place in this flow: nothing was judged.
  if (outcome.error?.error === 'not_here') return EXIT.usage
  if (ending !== 'failed' && expected !== undefined) {
    const refused = ending === 'refused' && tamper?.found !== undefined
    return expected || refused || tamper?.harmless !== undefined ? EXIT.done : EXIT.refused
  }
  if (ending === 'granted') return EXIT.done
  if (ending === 'refused') return EXIT.refused
  if (outcome.error?.error === 'timeout') return EXIT.timeout
  return exitCode() ?? EXIT.transport
}

/** Explains a failure of the network on stderr, and returns the exit code. */
export function finish(outcome: Outcome, interruption: Interruption): number {
  const { error } = outcome
  if (outcome.outcome === 'failed' && error && interruption.exitCode() === undefined) {
    const hints = error.hints ?? []
    narrate([`oauth-lab: ${makeSafe(error.error_description)}`, ...hints.map(hint => `  ${hint}`)].join('\n'))
  }
  return exitCodeOf(outcome, interruption)
}
