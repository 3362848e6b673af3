/** How a refusal arrives. `client`: the client refuses a changed answer. `question`: the server asks the person first. */
export type Channel = 'page' | 'question' | 'redirect' | 'token' | 'resource' | 'client'

/** A refusal that a rule asks for. */
export interface Refusal {
  readonly by: Channel
  /** Absent: 400 or 401 from an endpoint, any 4xx for a page. */
  readonly status?: readonly number[]
  /** Codes of the error; the first is the rule's own one. None: the code does not matter. */
  readonly errors: readonly string[]
}
