import { maskText, maskValue } from '../../protocol/safe-output/mask.js'
import { isSecretName } from '../../protocol/safe-output/secret-names.js'
import { defined } from '../../protocol/values.js'
import type { Conversation } from './conversation.js'
import type { Finding } from './finding.js'
import { issuedTokens } from './message.js'

/** A conversation with what is wrong in it. */
export interface Judged {
  readonly conversation: Conversation
  readonly findings: readonly Finding[]
  /** Set for a conversation that did not succeed, and that a later one took the place of. */
  readonly isOvertaken?: true
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

/** How a recording ended as a whole. `right` is earned: every conversation was seen to end well. */
interface Verdict {
  readonly outcome: 'right' | 'fault' | 'unfinished' | 'nothing'
  /** The fault at which the first broken login broke. */
  readonly broken?: Finding
  /** The first conversation that was not seen to end well, where nothing is known to be wrong. */
  readonly open?: Conversation
}

/** A recording as conversations. */
export interface Explanation {
  readonly facts: RecordingFacts
  readonly flows: readonly Judged[]
  readonly verdict: Verdict
}

/** Returns how a recording ended. */
export function verdictOf(flows: readonly Judged[]): Verdict {
  const faults = flows.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'fault'))
  const [broken] = faults.toSorted((a, b) => a.entry - b.entry)
  if (broken) return { outcome: 'fault', broken }
  if (flows.length === 0) return { outcome: 'nothing' }
  const open = flows.find(
    ({ conversation, isOvertaken }) => conversation.outcome !== 'granted' && !isOvertaken,
  )?.conversation
  return open === undefined ? { outcome: 'right' } : { outcome: 'unfinished', open }
}

/** The secrets of a conversation, as they travelled: codes, tokens, verifiers, secrets. */
function secretsOf({ messages }: Conversation): ReadonlySet<string> {
  const sent = messages.flatMap(({ fields, answer }) => [...fields.pairs, ...(answer?.fields.pairs ?? [])])
  const named = sent.filter(([name]) => isSecretName(name)).map(([, value]) => value)
  return new Set(
    [...named, ...issuedTokens(messages).map(({ value }) => value)].filter(each => each.length > 5),
  )
}

/** Returns an explanation whose sentences hold no secret: servers and pages may repeat what was sent to them. */
export function maskExplanation(explanation: Explanation): Explanation {
  const flows = explanation.flows.map(({ conversation, findings, ...more }) => {
    const secrets = [...secretsOf(conversation)]
    const hide = (text: string) =>
      maskText(secrets.reduce((hidden, each) => hidden.replaceAll(each, () => maskValue(each)), text))
    const hidden = (found: Finding): Finding =>
      defined({
        ...found,
        text: hide(found.text),
        words: found.words && hide(found.words),
        next: found.next && hide(found.next),
      })
    const { lastSeen } = conversation
    return {
      conversation: lastSeen === undefined ? conversation : { ...conversation, lastSeen: hide(lastSeen) },
      findings: findings.map(hidden),
      ...more,
    }
  })
  return { ...explanation, flows, verdict: verdictOf(flows) }
}

/** Returns a count with its noun: `1 line`, `2 lines`. */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
