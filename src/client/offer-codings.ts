import type { Send } from '../protocol/http/exchange.js'

/** The content codings that this program can decode, as browsers offer them. */
const OFFER = ['accept-encoding', 'gzip, deflate, br'] as const

/** Adds Accept-Encoding to requests (RFC 9110 §12.5.3). A request that already has the header is sent unchanged. */
export function offerCodings(send: Send): Send {
  return (request, options) =>
    send(
      request.headers.some(([name]) => name.toLowerCase() === OFFER[0])
        ? request
        : { ...request, headers: [...request.headers, OFFER] },
      options,
    )
}
