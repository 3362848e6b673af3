import type { Exchange } from '../protocol/http/exchange.js'
import type { Check } from '../protocol/oauth/check.js'

/** A step of the person on the way to a decision about a backchannel authentication request. */
export interface ApprovalVisit {
  readonly name: 'approval_page' | 'approval'
  /** The exchange of the visit. Absent for the person's own browser, whose exchanges are not recorded. */
  readonly exchange?: Exchange
  readonly url?: string
  readonly note?: string
  readonly checks?: readonly Check[]
  /** True when the same visit follows again: the person has to try again, or is led to another page. */
  readonly repeats?: true
}

/** The request that a person has to decide on. */
export interface ApprovalTask {
  readonly clientId: string
  readonly scope?: string
  /** The text that the client shows too. The person compares both. */
  readonly bindingMessage?: string
  /** True when the person says no. */
  readonly denies?: boolean
  readonly signal: AbortSignal
}

/** Brings the named person to the page that asks them (OpenID Connect CIBA Core §8). */
export interface AuthenticationDevice {
  /** Yields each visit. Ends at the decision, or as soon as the person's own browser takes over. */
  decide(task: ApprovalTask): AsyncGenerator<ApprovalVisit, void, void>
}
