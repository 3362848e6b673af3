import type { Citation } from './rule.js'

/** The weight of a broken rule. A weakness lowers a defence that others stand behind; a remark harms nobody by itself. */
export type Severity = 'fault' | 'weakness' | 'remark'

/** A broken rule, wherever it was seen: in a server, a recording, a token, a message. */
export interface Finding {
  /** Stable, because scripts name it. */
  readonly name: string
  readonly severity: Severity
  readonly rule: Citation
  /** The observation. It may hold text of a server, so it is untrusted. */
  readonly text: string
  /** The number of the entry of a recording that shows it. */
  readonly entry?: number
  /** The next move of the person. */
  readonly next?: string
}

/** The judgement of a message, a server or a token by one rule. */
export interface Judgement<Result = 'pass' | Severity | 'not_applicable' | 'not_tried'> {
  readonly result: Result
  /** The observation, or why the rule does not apply. It may hold text of a server or a token, so it is untrusted. */
  readonly detail: string
}

const judged =
  <const Result extends Judgement['result']>(result: Result) =>
  (detail: string): Judgement<Result> => ({ result, detail })

/** The rule is kept. */
export const pass = judged('pass')

/** The rule is broken. */
export const fault = judged('fault')

/** The rule is kept in substance, and not to the letter; or more than this program can see decides. */
export const remark = judged('remark')

/** The rule applies, and this program could not try it: nothing is known. */
export const notTried = judged('not_tried')

/** The rule does not apply. */
export const notApplicable = judged('not_applicable')

/** A pass or a fault. */
export const passIf = (ok: boolean, detail: string): Judgement<'pass' | 'fault'> =>
  ok ? pass(detail) : fault(detail)
