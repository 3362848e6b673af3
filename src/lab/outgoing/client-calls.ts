import { setTimeout as wait } from 'node:timers/promises'
import { encodeForm } from '../../protocol/http/form.js'
import { bytes } from '../../protocol/http/message.js'
import type { CallKind, ClientCalls } from '../../servers/authorization-server/settings.js'
import { strangerAddresses } from './client-addresses.js'
import type { DocumentNetwork } from './client-documents.js'
import { createClientSender, type SenderLimits, type SendToClient } from './client-sender.js'

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
