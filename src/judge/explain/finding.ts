import type { Finding as AnyFinding, Severity } from '../../protocol/rules/finding.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { defined } from '../../protocol/values.js'
import type { Conversation } from './conversation.js'
import type { FindingName } from './finding-catalogue.js'
import type { Message } from './message.js'

/** A broken rule in a recording, at the entry that shows it. Its text begins in lower case and holds no secret. */
export interface Finding extends AnyFinding {
  readonly entry: number
  /** The name of the cookie that it is about. */
  readonly cookie?: string
  /** Text of the server, as it stood. */
  readonly words?: string
}

/** Judges a conversation by the rules of one subject. */
export type Judge = (conversation: Conversation) => readonly Finding[]

/** Makes a finding about a message. */
export function finding(
  severity: Severity,
  name: FindingName,
  rule: Citation,
  message: Message,
  text: string,
  next?: string,
  more: Pick<Finding, 'cookie' | 'words'> = {},
): Finding {
  return defined({ name, severity, rule, entry: message.recorded.entry, text, next, ...more })
}
