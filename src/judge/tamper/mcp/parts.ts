import type { Exchange } from '../../../protocol/http/exchange.js'
import type { JsonObject } from '../../../protocol/values.js'

/** A changed answer, and the step that shows it. */
export interface Lie {
  readonly at: 'resource_metadata_request' | 'discovery_request' | 'tools_request'
  /** Returns the changed answer; undefined for an answer that the lie is not about. */
  readonly lie: (exchange: Exchange) => Exchange['response']
}

/** Changed metadata in a registration request. */
export interface WrongRegistration {
  readonly at: 'client_registration'
  readonly register: (members: JsonObject) => JsonObject | Promise<JsonObject>
  /** True when the answer holds the wrong value. A server may also leave the value out (RFC 7591 §3.2.1). */
  readonly kept: (answer: JsonObject) => boolean
}
