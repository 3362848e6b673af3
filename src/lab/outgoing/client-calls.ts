import { setTimeout as wait } from 'node:timers/promises'
import type { ClientCalls } from '../../authorization-server/settings.js'
import { encodeForm } from '../../http/form.js'
import { bytes } from '../../http/message.js'
import type { ClientNetwork } from './client-addresses.js'
import { createClientSender, type SenderLimits } from './client-sender.js'

const LIMITS: SenderLimits = { maxBody: 16 * 1024, atOnce: 8, waiting: 200, plain: true }

/**
 * Creates the calls of clients: over https with a checked certificate, or over plain http to this computer, without
 * redirects. A pause keeps no program running.
 */
export function createClientCalls(network: ClientNetwork): ClientCalls {
  const send = createClientSender(network, LIMITS)

  return {
    async post(url, form) {
      const headers = [
        ['content-type', 'application/x-www-form-urlencoded'],
        ['accept', 'application/json'],
      ] as const
      const { status, body } = await send({ method: 'POST', url, headers, body: bytes(encodeForm(form)) })
      return { status, body }
    },
    async postJson(url, message, bearerToken) {
      const headers = [
        ['content-type', 'application/json'],
        ['authorization', `Bearer ${bearerToken}`],
      ] as const
      const body = bytes(JSON.stringify(message))
      const { status } = await send({ method: 'POST', url, headers, body })
      return { status }
    },
    pause: milliseconds => wait(milliseconds, undefined, { ref: false }),
  }
}
