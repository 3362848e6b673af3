import type { Exchange, Send } from '../../../../../src/protocol/http/exchange.js'
import { text } from '../../../../../src/protocol/http/message.js'
import { type ApiAccess, createService } from '../../../../../src/servers/cloudflare/client/service.js'
import type { Ask } from '../../../../support/ask.js'
import { email, key } from '../../support.js'

/** A server's function as a transport. */
export function sendTo(handle: Ask): Send {
  return async request => {
    const response = await handle(request)
    const body = text(response.body)
    return {
      request: { ...request, body: text(request.body) },
      response: { ...response, body },
      wireBytes: { request: request.body.length, response: response.body.length },
      bodyBytes: response.body.length,
      ms: 0,
      at: new Date(0).toISOString(),
    } satisfies Exchange
  }
}

const access: ApiAccess = {
  base: 'https://localhost:8446/client/v4',
  via: 'the test',
  credentials: { kind: 'key', key, email, from: 'the test' },
}

/** A client of a server's function; waits take no time. */
export function serviceOf(handle: Ask, asked: string[] = []) {
  const send = sendTo(handle)
  return createService(access, {
    send: request => {
      asked.push(`${request.method} ${request.url.replace(access.base, '')}`)
      return send(request)
    },
    longestWaitMs: 10_000,
    pause: async () => {},
  })
}
