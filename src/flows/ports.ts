import type { DeviceVerifier } from '../client/device-verifier.js'
import type { AskLogin } from '../client/login.js'
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

/** What flows need that go further than a browser and back. */
export interface AllPorts extends FlowPorts {
  /** Asks the resource owner for the credentials that the client itself sends (RFC 6749 §4.3). */
  readonly askLogin: AskLogin
  /** Lets a person decide about a device (RFC 8628 §3.3). */
  readonly deviceVerifier: DeviceVerifier
  /** Waits so many milliseconds; rejects with the reason of `signal` when the flow is ended. */
  readonly wait: (ms: number) => Promise<void>
}
