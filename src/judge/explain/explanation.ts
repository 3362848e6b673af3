import type { Conversation } from './conversation.js'
import type { Finding } from './finding.js'

/** A conversation with what is wrong in it. */
export interface Judged {
  readonly conversation: Conversation
  readonly findings: readonly Finding[]
}

/** The facts about a recording as a whole. */
interface RecordingFacts {
  /** Entries that could be read. */
  readonly entries: number
  /** Entries of OAuth, OpenID Connect and SAML. */
  readonly picked: number
  /** The program that wrote it, such as `Firefox 130.0`. */
  readonly creator?: string
  /** Sentences about parts that the recording does not show, so that they could not be judged. */
  readonly gaps: readonly string[]
}

/** A recording as conversations. */
export interface Explanation {
  readonly facts: RecordingFacts
  readonly flows: readonly Judged[]
}

/** The fault at which the first broken login broke; undefined when there is none. */
export function breakOf({ flows }: Explanation): Finding | undefined {
  const faults = flows.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'fault'))
  return faults.reduce<Finding | undefined>((first, each) => {
    return first === undefined || each.entry < first.entry ? each : first
  }, undefined)
}

/** Returns a count with its noun: `1 line`, `2 lines`. */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
