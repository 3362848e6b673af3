import { createSemaphore } from '../authorization-server/logins/semaphore.js'
import { createTransport, type Transport } from '../client/transport.js'
import type { Exchange } from '../http/exchange.js'
import type { HttpRequest } from '../http/message.js'
import { type ClientNetwork, clientAddresses } from './client-addresses.js'

/** Longest wait for an answer, in milliseconds. */
const TIME_LIMIT = 5000

/** Limits of one kind of request to clients. */
export interface SenderLimits {
  /** Longest answer, in bytes. */
  readonly maxBody: number
  /** Requests that are sent at the same time, and that may wait. */
  readonly atOnce: number
  readonly waiting: number
  /** True where plain http to this computer is allowed. */
  readonly plainLoopback?: boolean
}

/** Sends a request to a client. Redirects are not followed. @throws Error with the reason why there is no answer */
export type SendToClient = (
  request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>,
) => Promise<NonNullable<Exchange['response']>>

/** Creates the function that sends requests to addresses of clients, over https with a checked certificate. */
export function createClientSender(network: ClientNetwork, limits: SenderLimits): SendToClient {
  const { maxBody, plainLoopback = false } = limits
  const inTurn = createSemaphore(limits)
  const addresses = clientAddresses(network)
  const { caPem } = network
  let transport: Transport | undefined

  return async request => {
    const { url, headers } = request
    const plainAllowed = plainLoopback && addresses.isPlainLoopback(url)
    if (new URL(url).protocol !== 'https:' && !plainAllowed) throw new Error('its address is not https')
    addresses.check(url)
    transport ??= createTransport({ caPem, maxBody, timeoutMs: TIME_LIMIT, ...addresses.guard })
    const { send } = transport
    const exchange = await inTurn(() => send({ ...request, headers: [...headers, ['connection', 'close']] }))
    if (exchange === 'full') throw new Error('too many clients are called now')
    const { response } = exchange
    if (response === undefined) throw new Error('it gave no answer')
    return response
  }
}
