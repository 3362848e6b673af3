import type { Send } from '../../protocol/http/exchange.js'

/** A layer between a flow and the network. It sees each request and each exchange. */
export type Middleware = (next: Send) => Send

/** The three places where a wrong move is inserted. */
export interface TamperingMiddleware {
  readonly watch: Middleware
  readonly change: Middleware
  readonly browse: Middleware
}

export interface OutgoingLayers {
  readonly tampering?: TamperingMiddleware
  readonly client?: readonly Middleware[]
  readonly gate?: Middleware
  readonly codings?: Middleware
}

/** The first layer sees a request first, and its exchange last. */
function compose(send: Send, middleware: readonly (Middleware | undefined)[]): Send {
  return middleware.reduceRight((next, wrap) => wrap?.(next) ?? next, send)
}

/** Leaves out the certificate of the client: a person's browser has none, and is led to other servers. */
const withoutCertificate: Middleware = next => (request, options) =>
  next({ ...request, identity: 'none' }, options)

/** The ways from a flow to the network, composed in the one order that holds for every flow. */
export function outgoing(network: Send, layers: OutgoingLayers = {}): { client: Send; browser: Send } {
  const { tampering, client = [], gate, codings } = layers
  return {
    // Tampering runs after client authentication, so it sees the request as it will be sent.
    client: compose(network, [tampering?.watch, ...client, tampering?.change, gate, codings]),
    browser: compose(network, [tampering?.browse, gate, codings, withoutCertificate]),
  }
}
