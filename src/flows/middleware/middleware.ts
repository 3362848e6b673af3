import type { Send } from '../../protocol/http/exchange.js'

/** A layer between a flow and the network. It sees each request and each exchange. */
export type Middleware = (next: Send) => Send

/** The three places where a wrong move is inserted. */
export interface TamperingMiddleware {
  /** Sees the client's requests as the flow makes them. */
  readonly watch: Middleware
  /** Changes the client's requests as they will be sent. */
  readonly change: Middleware
  /** Changes the requests of the user agent. */
  readonly browse: Middleware
}

/** All layers between a flow and the network. */
export interface OutgoingLayers {
  readonly tampering?: TamperingMiddleware
  /** The client's own additions: proofs, assertions, parameters. */
  readonly client?: readonly Middleware[]
  /** Holds requests until a person lets them go. */
  readonly gate?: Middleware
  /** Offers content codings. */
  readonly codings?: Middleware
}

/** Puts middleware in front of a `send`. The first of the list sees a request first, and its exchange last. */
function compose(send: Send, middleware: readonly (Middleware | undefined)[]): Send {
  return middleware.reduceRight((next, wrap) => wrap?.(next) ?? next, send)
}

/** The ways from a flow to the network, composed in the one order that holds for every flow. */
export function outgoing(network: Send, layers: OutgoingLayers = {}): { client: Send; browser: Send } {
  const { tampering, client = [], gate, codings } = layers
  return {
    // Tampering changes requests after client authentication, so it sees each request as it will be sent.
    client: compose(network, [tampering?.watch, ...client, tampering?.change, gate, codings]),
    browser: compose(network, [tampering?.browse, gate, codings]),
  }
}
