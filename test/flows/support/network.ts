import type { AskLogin } from '../../../src/client/login.js'
import type { Exchange, Send } from '../../../src/protocol/http/exchange.js'
import { type HttpRequest, type HttpResponse, splitUrl, text } from '../../../src/protocol/http/message.js'
import type { Ask } from '../../support/ask.js'

/** The time of every test, in milliseconds since the epoch. */
export const NOW = Date.UTC(2026, 10, 21, 14, 3, 11)

/** Bytes that are never the same twice, and the same in every run. */
export function countedRandom(): (length: number) => Uint8Array {
  let count = 0
  return length => {
    count += 1
    const bytes = new Uint8Array(length).fill(count)
    if (count > 255) bytes[0] = count >> 8
    return bytes
  }
}

/** An exchange as a transport records it. */
export function recorded(request: HttpRequest, { status, headers, body }: HttpResponse): Exchange {
  const { method, url } = request
  return {
    request: { method, url, headers: request.headers, body: text(request.body) },
    response: { status, headers, body: text(body) },
    wireBytes: { request: request.body.length, response: body.length },
    bodyBytes: body.length,
    ms: 1,
    at: new Date(NOW).toISOString(),
  }
}

/** Hands every request to the server of its origin, and notes what happened. */
export function sendTo(servers: { readonly [origin: string]: Ask }): Send {
  return async request => {
    const handle = servers[splitUrl(request.url).origin]
    if (!handle) throw new Error(`nobody listens at ${request.url}`)
    return recorded(request, await handle(request))
  }
}

export const login =
  (...answers: [username: string, password: string][]): AskLogin =>
  async () => {
    const next = answers.shift()
    return next ? { kind: 'credentials', username: next[0], password: next[1] } : { kind: 'cancel' }
  }
