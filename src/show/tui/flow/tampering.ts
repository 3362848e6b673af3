import type { PlannedStep, StepName } from '../../../flows/step.js'
import type { StartFlow } from './runner.js'

/** A named wrong move that can be chosen on the screen. */
export interface WrongMove {
  readonly name: string
  /** The effect of the move, such as `redeems the code a second time`. */
  readonly does: string
  /** The gain of an attacker if it were not refused. */
  readonly risk: string
  readonly rule: string
  /** The refusal that the rule asks for, for people. */
  readonly expects: string
  /** The step whose message is changed. */
  readonly at: StepName
  /** Why it cannot be made here; absent where it can. */
  readonly off?: string
}

/** The wrong moves of a flow, and how a run with one of them begins. */
export interface WrongMoves {
  readonly moves: readonly WrongMove[]
  /** @throws UsageError where the move cannot be made after all */
  begin(name: string): { readonly plan: readonly PlannedStep[]; readonly start: StartFlow }
}
