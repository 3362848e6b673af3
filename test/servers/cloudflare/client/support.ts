import type { Send } from '../../../../src/protocol/http/exchange.js'
import { type HttpRequest, type HttpResponse, text } from '../../../../src/protocol/http/message.js'
import {
  type ApiAccess,
  createService,
  type ServicePorts,
  type Wait,
} from '../../../../src/servers/cloudflare/client/service.js'
import { email, key } from '../support.js'

export const byKey: ApiAccess = {
  base: 'https://localhost:8446/client/v4',
  via: '--api-url',
  credentials: { kind: 'key', key, email, from: 'the lab file' },
}

/** A transport that a function of a server answers. */
export function sendTo(handle: (request: HttpRequest) => Promise<HttpResponse>): Send {
  return async request => {
    const { status, headers, body } = await handle(request)
    return {
      request: {
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: text(request.body),
      },
      response: { status, headers, body: text(body) },
      wireBytes: { request: request.body.length, response: body.length },
      bodyBytes: body.length,
      ms: 0,
      at: '2026-06-15T12:00:00.000Z',
    }
  }
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
