import { defined } from '../defined.js'
import type { Rule } from '../rules/rule.js'
import type { Conversation } from './conversation.js'
import type { Message } from './message.js'

/** The weight of a broken rule, as the doctor weighs it. A weakness lowers a defence that others stand behind. */
export type Severity = 'fault' | 'weakness' | 'remark'

/** A broken rule in a recording. */
export interface Finding {
  /** kebab-case and stable: scripts name it. */
  readonly name: string
  readonly severity: Severity
  readonly rule: Rule
  /** The number of the entry that shows it. */
  readonly entry: number
  /** The observation, beginning in lower case. It holds no secret. */
  readonly text: string
  /** The next move. */
  readonly next?: string
}

/** Judges a conversation by the rules of one subject. */
export type Judge = (conversation: Conversation) => readonly Finding[]

/** Makes a finding about a message. */
export function finding(
  severity: Severity,
  name: string,
  rule: Rule,
  message: Message,
  text: string,
  next?: string,
): Finding {
  return defined({ name, severity, rule, entry: message.recorded.entry, text, next })
}
