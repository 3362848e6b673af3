import { setTimeout as wait } from 'node:timers/promises'
import { createTransport, type Transport } from '../../client/transport.js'
import { codeOf } from '../../client/transport-errors.js'
import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { encodeForm } from '../../protocol/http/form.js'
import { bytes, type HttpRequest, header } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'
import { FetchFailure } from '../../servers/authorization-server/client-documents/fetch-failure.js'
import { createSemaphore } from '../../servers/authorization-server/logins/semaphore.js'
import type {
  CallKind,
  ClientCalls,
  DocumentKind,
  FetchDocument,
} from '../../servers/authorization-server/settings.js'
import {
  type ClientAddresses,
  type ClientNetwork,
  clientAddresses,
  isRefusedAddress,
  strangerAddresses,
} from './client-addresses.js'

/** Bytes. */
const MAX_DOCUMENT = 64 * 1024

/** Bytes (draft-ietf-oauth-client-id-metadata-document-02 §8.7). */
const MAX_METADATA = 5 * 1024

export interface DocumentNetwork extends ClientNetwork {
  /** Private hosts of clients that introduce themselves. */
  readonly allowed?: readonly string[] | undefined
}

/** Fetches over https without redirects. Each kind of document has its own queue, so that slow strangers hold up nobody. */
export function createClientDocuments(network: DocumentNetwork): FetchDocument {
  const addresses = strangerAddresses(network.allowed ?? [], network.hosts)
  const limits: SenderLimits = { maxBody: MAX_DOCUMENT, atOnce: 4, waiting: 40 }
  const senders: Readonly<Record<DocumentKind, SendToClient>> = {
    registered: createClientSender(network, limits),
    introduced: createClientSender(network, { ...limits, addresses }),
    metadata: createClientSender(network, { ...limits, addresses, maxBody: MAX_METADATA, atOnce: 8 }),
  }

  return async (url, accept, kind = 'registered') => {
    const request = { method: 'GET', url, headers: [['accept', accept]], body: new Uint8Array() } as const
    const { status, headers, body } = await senders[kind](request)
    if (status >= 300 && status < 400) {
      throw new FetchFailure('status', `it answered ${status}; redirects are not followed`)
    }
    if (status !== 200) throw new FetchFailure('status', `it answered ${status}`)
    return defined({ body, contentType: header({ headers }, 'content-type'), headers })
  }
}

const LIMITS: SenderLimits = { maxBody: 16 * 1024, atOnce: 8, waiting: 200, plain: true }

/**
 * Calls clients over https, or plain http to this computer, without redirects. Slow strangers hold up no client of the lab
 * file. A pause keeps no program running.
 */
export function createClientCalls(network: DocumentNetwork): ClientCalls {
  const addresses = strangerAddresses(network.allowed ?? [], network.hosts)
  const senders: Readonly<Record<CallKind, SendToClient>> = {
    registered: createClientSender(network, LIMITS),
    introduced: createClientSender(network, { ...LIMITS, addresses }),
  }

  return {
    async post(url, form, kind) {
      const headers = [
        ['content-type', 'application/x-www-form-urlencoded'],
        ['accept', 'application/json'],
      ] as const
      const request = { method: 'POST', url, headers, body: bytes(encodeForm(form)) }
      const { status, body } = await senders[kind](request)
      return { status, body }
    },
    async postJson(url, message, bearerToken, kind) {
      const headers = [
        ['content-type', 'application/json'],
        ['authorization', `Bearer ${bearerToken}`],
      ] as const
      const body = bytes(JSON.stringify(message))
      const { status } = await senders[kind]({ method: 'POST', url, headers, body })
      return { status }
    },
    pause: milliseconds => wait(milliseconds, undefined, { ref: false }),
  }
}

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
