import { createTransport, type Transport } from '../../client/transport.js'
import { codeOf } from '../../client/transport-errors.js'
import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import { FetchFailure } from '../../servers/authorization-server/client-documents/fetch-failure.js'
import { createSemaphore } from '../../servers/authorization-server/logins/semaphore.js'
import {
  type ClientAddresses,
  type ClientNetwork,
  clientAddresses,
  isRefusedAddress,
} from './client-addresses.js'

/** Milliseconds. */
const TIME_LIMIT = 5000

/** For one kind of request to clients. */
export interface SenderLimits {
  /** Bytes. */
  readonly maxBody: number
  /** Requests at the same time, and waiting ones. */
  readonly atOnce: number
  readonly waiting: number
  /** Allows plain http where the address may have it. */
  readonly plain?: boolean
  /** Absent: those of the lab file. */
  readonly addresses?: ClientAddresses
}

/** Follows no redirect. @throws FetchFailure with the reason why there is no answer */
export type SendToClient = (
  request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>,
) => Promise<NonNullable<Exchange['response']>>

function failureOf(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error
  if (error instanceof Error && isRefusedAddress(error.cause)) return error.cause as FetchFailure
  const message = error instanceof Error ? error.message : 'it gave no answer'
  return new FetchFailure(codeOf(error) === 'EMSGSIZE' ? 'size' : 'network', message, { cause: error })
}

/** Sends over https with a checked certificate. */
export function createClientSender(network: ClientNetwork, limits: SenderLimits): SendToClient {
  const { maxBody, plain = false, addresses = clientAddresses(network) } = limits
  const inTurn = createSemaphore(limits)
  const { caPem } = network
  let transport: Transport | undefined

  /** @throws FetchFailure for an address that is not called */
  function checkAddress(url: string): void {
    const refused = (problem: string) => new FetchFailure('address', problem)
    if (!isUrl(url)) throw refused('its address is not an absolute URL')
    const { protocol, username, password } = new URL(url)
    if (protocol !== 'https:' && !(plain && addresses.mayBePlain(url))) {
      throw refused('its address is not https')
    }
    if (username !== '' || password !== '') throw refused('its address has a user and password')
    const problem = addresses.problem(url)
    if (problem !== undefined) throw refused(problem)
  }

  return async request => {
    const { url, headers } = request
    checkAddress(url)
    transport ??= createTransport({ caPem, maxBody, timeoutMs: TIME_LIMIT, ...addresses.guard })
    const { send } = transport
    const exchange = await inTurn(() =>
      send({ ...request, headers: [...headers, ['connection', 'close']] }),
    ).catch((error: unknown) => {
      throw failureOf(error)
    })
    if (exchange === 'full') throw new FetchFailure('busy', 'too many clients are called now')
    const { response } = exchange
    if (response === undefined) throw new FetchFailure('network', 'it gave no answer')
    return response
  }
}
