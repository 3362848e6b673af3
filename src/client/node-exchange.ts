import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Exchange } from '../http/exchange.js'
import { type HeaderList, type HttpRequest, text } from '../http/message.js'
import { CodingError, decodeBody, size } from './content-coding.js'

/** How one exchange is to go. */
export interface ExchangeOptions {
  /** Agent, TLS settings and the like. */
  readonly request: RequestOptions
  readonly signal: AbortSignal
  /** Milliseconds since the epoch, for the `at` of the exchange. */
  readonly now: () => number
  /** Most bytes of a body that are read, as it travels and again after decoding. */
  readonly limit: number
}

async function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limit) throw new CodingError('EMSGSIZE', `is larger than ${size(limit)}`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

function pairs(raw: readonly string[]): HeaderList {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i]!, raw[2 * i + 1]!] as const)
}

function tlsFacts(socket: Socket): { tls?: NonNullable<Exchange['tls']> } {
  if (!(socket instanceof TLSSocket)) return {}
  return { tls: { protocol: socket.getProtocol() ?? 'TLS', cipher: socket.getCipher().name } }
}

/**
 * One exchange on Node's own HTTP and HTTPS, which load in a fraction of the time of a full client: that counts in
 * commands that people put into scripts. Follows no redirect.
 * @throws the error of the network, or CodingError
 */
export async function nodeExchange(
  { method, url, headers, body }: HttpRequest,
  { request, signal, now, limit }: ExchangeOptions,
): Promise<Exchange> {
  const target = new URL(url)
  const sent: HeaderList = [
    ['host', target.host],
    ...headers,
    ...(body.length > 0 ? [['content-length', String(body.length)] as const] : []),
  ]
  const at = new Date(now()).toISOString()
  const started = performance.now()
  const { message, socket } = await new Promise<{ message: IncomingMessage; socket: Socket }>(
    (resolve, reject) => {
      const asked = (target.protocol === 'https:' ? https : http).request(url, {
        ...request,
        method,
        headers: sent.flat(),
        maxHeaderSize: 64 * 1024,
        signal,
      })
      asked.once('error', reject)
      asked.once('response', answer => resolve({ message: answer, socket: answer.socket }))
      asked.end(body)
    },
  )
  const facts = tlsFacts(socket)
  const wire = await readBody(message, limit)
  const received = pairs(message.rawHeaders)
  const decoded = decodeBody(received, wire, limit)
  return {
    request: { method, url, headers: sent, body: text(body) },
    response: { status: message.statusCode ?? 0, headers: received, body: text(decoded) },
    wireBytes: { request: body.length, response: wire.length },
    bodyBytes: decoded.length,
    ms: Math.round((performance.now() - started) * 10) / 10,
    at,
    ...facts,
  }
}
