import type { Send } from '../../protocol/http/exchange.js'
import type { Defences } from './defences.js'
import type { Issuer } from './issuer.js'

/** The settings of the demo client. */
export interface DemoClientSettings {
  /** No trailing slash. */
  readonly baseUrl: string
  /** The first one is used where a person chose none. */
  readonly issuers: readonly [Issuer, ...Issuer[]]
  readonly defences: Defences
}

/** The surroundings of the demo client. */
export interface DemoClientPorts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Returns `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /**
   * Returns the sender of a request's own requests.
   * @param cause the id of the request that needs them
   */
  readonly sendFor: (cause: number | undefined) => Send
}
