import type { Outcome } from '../../../flows/step.js'

/** The ending of a wrong move, for people. */
export interface TamperEnding {
  /** True when it was refused, as the rule asks or in another form, and when it harms nobody here. */
  readonly good: boolean
  /** True when it was accepted, and harms nobody here. */
  readonly remark?: true
  /** One sentence without a full stop. */
  readonly text: string
  /** The other side's answer to it; absent without one. */
  readonly said?: string
}

/**
 * The end of a flow with a wrong move in it.
 * @returns undefined for any other flow
 */
export function tamperEnding({
  tamper,
  expected = false,
  error,
  outcome,
}: Outcome): TamperEnding | undefined {
  if (!tamper) return undefined
  const { move, wanted, found, harmless } = tamper
  if (error?.error === 'unreadable_page') {
    return { good: false, text: `${move} has no known end: the login page cannot be read from here` }
  }
  if (found === undefined) return { good: false, text: `${move} was not made: the flow ended before` }
  if (expected) {
    const said = error?.error_description
    return { good: true, text: `${move} as expected: ${found}`, ...(said !== undefined && { said }) }
  }
  if (harmless !== undefined) {
    return {
      good: true,
      remark: true,
      text: `${move} was not refused, which harms nobody here: ${harmless}; expected ${wanted}; got ${found}`,
    }
  }
  const good = outcome === 'refused'
  const what = good ? 'was refused in another way' : 'was not refused'
  return { good, text: `${move} ${what}: expected ${wanted}; got ${found}` }
}
