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
