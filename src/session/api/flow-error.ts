import type { Outcome, Step } from '../../flows/step.js'

/** A flow that brought no tokens: the server refused, or a check of the client did. */
export class FlowError extends Error {
  override name = 'FlowError'
  /** Such as `invalid_grant`, `login_failed`, `ECONNREFUSED`. */
  readonly error: string
  readonly error_description: string
  /** The rule that was broken, such as `RFC 6749 §5.2`. */
  readonly rule: string | undefined
  /** The steps until then. */
  readonly steps: readonly Step[]

  constructor(outcome: Outcome, steps: readonly Step[]) {
    const { error = 'no_outcome', error_description: description = '', rule } = outcome.error ?? {}
    super(`${error}: ${description}${rule === undefined ? '' : ` (${rule})`}`)
    this.error = error
    this.error_description = description
    this.rule = rule
    this.steps = steps
  }
}
