import { createSemaphore } from '../authorization-server/logins/semaphore.js'
import type { FetchDocument } from '../authorization-server/settings.js'
import { createTransport, type Transport } from '../client/transport.js'
import { type ClientNetwork, clientAddresses } from './client-addresses.js'

/** Longest document, in bytes. */
const MAX_BODY = 64 * 1024

/** Longest wait for a document, in milliseconds. */
const TIME_LIMIT = 5000

/** Documents that are fetched at the same time, and that may wait. */
const AT_ONCE = 4
const MAX_WAITING = 40

/**
 * Creates the function that fetches documents of clients, over https with a checked certificate and without redirects.
 */
export function createClientDocuments(network: ClientNetwork): FetchDocument {
  const inTurn = createSemaphore({ atOnce: AT_ONCE, waiting: MAX_WAITING })
  const addresses = clientAddresses(network)
  const { caPem } = network
  let transport: Transport | undefined

  async function fetched(url: string, accept: string): ReturnType<FetchDocument> {
    transport ??= createTransport({ caPem, maxBody: MAX_BODY, timeoutMs: TIME_LIMIT, ...addresses.guard })
    const headers = [
      ['accept', accept],
      ['connection', 'close'],
    ] as const
    const { response } = await transport.send({ method: 'GET', url, headers, body: new Uint8Array() })
    const status = response?.status ?? 0
    if (status >= 300 && status < 400) throw new Error(`it answered ${status}; redirects are not followed`)
    if (response === undefined || status !== 200) throw new Error(`it answered ${status}`)
    const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    return { body: response.body, ...(type !== undefined && { contentType: type }) }
  }

  return async (url, accept) => {
    if (new URL(url).protocol !== 'https:') throw new Error('its address is not https')
    addresses.check(url)
    const found = await inTurn(() => fetched(url, accept))
    if (found === 'full') throw new Error('too many documents of clients are fetched now')
    return found
  }
}
