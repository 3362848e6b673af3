import type { Send } from '../../../../src/protocol/http/exchange.js'
import type { HttpRequest, HttpResponse } from '../../../../src/protocol/http/message.js'
import {
  type ApiAccess,
  createService,
  type ServicePorts,
  type Wait,
} from '../../../../src/servers/cloudflare/client/service.js'
import { recorded } from '../../../flows/support/network.js'
import { email, key } from '../support.js'

export const byKey: ApiAccess = {
  base: 'https://localhost:8446/client/v4',
  via: '--api-url',
  credentials: { kind: 'key', key, email, from: 'the lab file' },
}

/** A transport that a function of a server answers. */
export function sendTo(handle: (request: HttpRequest) => Promise<HttpResponse>): Send {
  return async request => recorded(request, await handle(request))
}

/** A client of something, which remembers what was sent and how long it waited. */
export function clientOf(
  handle: (request: HttpRequest) => Promise<HttpResponse>,
  { access = byKey, ...ports }: { readonly access?: ApiAccess } & Partial<ServicePorts> = {},
) {
  const sent: HttpRequest[] = []
  const waits: Wait[] = []
  const service = createService(access, {
    send: sendTo(request => {
      sent.push(request)
      return handle(request)
    }),
    longestWaitMs: 30_000,
    waiting: wait => waits.push(wait),
    pause: async () => {},
    ...ports,
  })
  return { service, sent, waits }
}
