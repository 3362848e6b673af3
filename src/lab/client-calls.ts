import { setTimeout as wait } from 'node:timers/promises'
import { createSemaphore } from '../authorization-server/logins/semaphore.js'
import type { ClientCalls } from '../authorization-server/settings.js'
import { createTransport, type Transport } from '../client/transport.js'
import { encodeForm } from '../http/form.js'
import { bytes } from '../http/message.js'
import { type ClientNetwork, clientAddresses } from './client-addresses.js'

/** Longest answer of a client, in bytes. */
const MAX_BODY = 16 * 1024

/** Longest wait for an answer, in milliseconds. */
const TIME_LIMIT = 5000

/** Calls that are made at the same time, and that may wait. */
const AT_ONCE = 8
const MAX_WAITING = 200

/**
 * Creates the calls of clients: over https with a checked certificate, or over plain http to this computer, without
 * redirects. A pause keeps no program running.
 */
export function createClientCalls(network: ClientNetwork): ClientCalls {
  const inTurn = createSemaphore({ atOnce: AT_ONCE, waiting: MAX_WAITING })
  const addresses = clientAddresses(network)
  const { caPem } = network
  let transport: Transport | undefined

  return {
    async post(url, form) {
      if (new URL(url).protocol !== 'https:' && !addresses.isPlainLoopback(url)) {
        throw new Error('its address is not https')
      }
      addresses.check(url)
      transport ??= createTransport({ caPem, maxBody: MAX_BODY, timeoutMs: TIME_LIMIT, ...addresses.guard })
      const headers = [
        ['content-type', 'application/x-www-form-urlencoded'],
        ['accept', 'application/json'],
        ['connection', 'close'],
      ] as const
      const request = { method: 'POST', url, headers, body: bytes(encodeForm(form)) }
      const { send } = transport
      const exchange = await inTurn(() => send(request))
      if (exchange === 'full') throw new Error('too many clients are called now')
      const { response } = exchange
      if (response === undefined) throw new Error('it gave no answer')
      return { status: response.status, body: response.body }
    },
    pause: milliseconds => wait(milliseconds, undefined, { ref: false }),
  }
}
