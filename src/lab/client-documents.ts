import type { FetchDocument } from '../authorization-server/settings.js'
import { defined } from '../defined.js'
import type { ClientNetwork } from './client-addresses.js'
import { createClientSender, type SenderLimits } from './client-sender.js'

const LIMITS: SenderLimits = { maxBody: 64 * 1024, atOnce: 4, waiting: 40 }

/**
 * Creates the function that fetches documents of clients, over https with a checked certificate and without redirects.
 */
export function createClientDocuments(network: ClientNetwork): FetchDocument {
  const send = createClientSender(network, LIMITS)

  return async (url, accept) => {
    const headers = [['accept', accept]] as const
    const {
      status,
      headers: answered,
      body,
    } = await send({ method: 'GET', url, headers, body: new Uint8Array() })
    if (status >= 300 && status < 400) throw new Error(`it answered ${status}; redirects are not followed`)
    if (status !== 200) throw new Error(`it answered ${status}`)
    const type = answered.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    return defined({ body, contentType: type })
  }
}
