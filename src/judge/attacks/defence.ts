import type { Citation } from '../../protocol/rules/rule.js'

/** A check that can stop an attack, and the section that demands it. */
export interface Defence {
  /** The name of the check, such as `redirect_uri`. */
  readonly check: string
  readonly rule: Citation
}

/** The check that refused, as the server or the page reported it. */
export interface Refusal extends Defence {
  /** The description in the answer or in its event. */
  readonly detail: string
}
