import type { UserAgent } from '../client/user-agent.js'
import type { Send } from '../http/exchange.js'

/** What a flow needs from the world. */
export interface FlowPorts {
  readonly send: Send
  readonly userAgent: UserAgent
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** `length` unpredictable bytes, for state, nonce and code_verifier. */
  readonly random: (length: number) => Uint8Array
  /** Ends the flow: a generator's `return()` waits behind a pending `next()`. */
  readonly signal: AbortSignal
}
