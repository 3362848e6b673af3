import type { Send } from '../http/exchange.js'

/** The codings that this program can undo, offered as browsers do. */
const OFFER = ['accept-encoding', 'gzip, deflate, br'] as const

/**
 * Offers to take answers compressed, as clients do that know content codings (RFC 9110 §12.5.3). A request that says something of its
 * own about codings stays as it is.
 */
export function offerCodings(send: Send): Send {
  return (request, options) =>
    send(
      request.headers.some(([name]) => name.toLowerCase() === OFFER[0])
        ? request
        : { ...request, headers: [...request.headers, OFFER] },
      options,
    )
}
