import type { Exchange } from '../../../protocol/http/exchange.js'
import type { HttpResponse } from '../../../protocol/http/message.js'
import type { JsonObject } from '../../../protocol/oauth/json-object.js'

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

/** A client ID metadata document that is wrong in one point: in its address or in its answer. */
export interface DocumentLie {
  /** Returns the client_id for the address at which the document is served. Absent: that address. */
  readonly clientId?: (address: string) => string
  /** Returns the answer at that address. Absent: the honest document. */
  readonly answer?: (document: JsonObject) => HttpResponse
}
