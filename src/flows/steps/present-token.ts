import type { Send } from '../../protocol/http/exchange.js'
import { type HttpRequest, header, splitUrl } from '../../protocol/http/message.js'
import { type DpopKey, makeDpopProof } from '../../protocol/tokens/dpop.js'
import type { FlowPorts } from '../ports.js'
import { asksForNonce } from '../requests/dpop-binding.js'

/** A token as its client holds it. */
export interface HeldToken {
  readonly accessToken: string
  /** Absent for a bearer token. */
  readonly key?: DpopKey | undefined
}

/** Adds a token as `Bearer`, or as `DPoP` with a proof for each request (RFC 9449 §7.1, §9). */
export function presenting({ accessToken, key }: HeldToken, ports: Pick<FlowPorts, 'now' | 'random'>) {
  const nonces = new Map<string, string>()

  async function presented(request: HttpRequest): Promise<HttpRequest> {
    const { method, url, headers } = request
    if (key === undefined) {
      return { ...request, headers: [...headers, ['authorization', `Bearer ${accessToken}`]] }
    }
    const nonce = nonces.get(splitUrl(url).origin)
    const what = { method, url, accessToken, ...(nonce !== undefined && { nonce }) }
    const proof = await makeDpopProof(key, what, ports)
    return { ...request, headers: [...headers, ['authorization', `DPoP ${accessToken}`], ['dpop', proof]] }
  }

  return (next: Send): Send => {
    const once: Send = async (request, options) => {
      const exchange = await next(await presented(request), options)
      const nonce = exchange.response && header(exchange.response, 'dpop-nonce')
      if (nonce !== undefined) nonces.set(splitUrl(request.url).origin, nonce)
      return exchange
    }
    return async (request, options) => {
      const exchange = await once(request, options)
      return key !== undefined && asksForNonce(exchange) ? once(request, options) : exchange
    }
  }
}
