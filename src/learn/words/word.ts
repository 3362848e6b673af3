import type { Rule } from '../../protocol/rules/rule.js'

/** A word of the trade, explained to somebody who has never met it. */
export interface Word {
  readonly term: string
  /** Other forms under which people meet it: abbreviations, names on the wire. */
  readonly also?: readonly string[]
  /** Two sentences: what it is, and what it is for or why it matters. */
  readonly explanation: readonly [first: string, second: string]
  /** The section that defines it, or that says most about it. */
  readonly rule: Rule
  /** The number of the lesson that uses it first. */
  readonly lesson: number
}
