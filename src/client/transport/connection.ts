import { Agent, type ClientRequest, type IncomingMessage, request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { HeaderList } from '../../protocol/http/message.js'
import { CodingError, size } from '../content-coding.js'
import { codeOf } from '../transport-errors.js'

/** A request as one connection sends it, byte for byte. */
export interface OutgoingRequest {
  readonly method: string
  /** The path and query. A proxy for plain HTTP gets the whole URL (RFC 9112 §3.2.2). */
  readonly target: string
  readonly headers: HeaderList
  readonly body: Uint8Array
}

/** A response with its body before decoding. */
interface Answer {
  readonly status: number
  readonly headers: HeaderList
  readonly wire: Uint8Array
}

/** The limits of one exchange. */
interface ExchangeLimits {
  readonly signal: AbortSignal
  /** The largest body, in wire bytes. */
  readonly maxBody: number
  /** Called with the whole events of a stream; true ends the response there. */
  readonly enough?: ((events: string) => boolean) | undefined
}

/** The two ends of a connection, seen from the client. */
export interface ConnectionEnds {
  readonly localAddress: string | undefined
  readonly localPort: number | undefined
  readonly remotePort: number | undefined
}

/** One connection, which carries one request at a time. */
export interface Connection {
  readonly ends: ConnectionEnds
  readonly tls?: NonNullable<Exchange['tls']>
  /** False once the connection is closed. */
  readonly open: boolean
  /** Sends a request and reads its response. @throws Unanswered, CodingError, another network error, or the reason of the signal */
  exchange(request: OutgoingRequest, limits: ExchangeLimits): Promise<Answer>
  /** Asks a proxy for a tunnel (RFC 9110 §9.3.6). The connection cannot send requests afterwards. */
  connect(target: string, headers: HeaderList, signal: AbortSignal): Promise<Tunnel>
  close(): void
}

/** The response of a proxy to CONNECT. After a 2xx status the socket leads to the target. */
export interface Tunnel {
  readonly status: number
  readonly socket: Socket
}

/** The error of a connection that ended before the first byte of a response. */
export class Unanswered extends Error {
  override name = 'Unanswered'
}

const ended = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE'])

/** The longest header section of a response, in bytes. */
const MAX_HEAD = 64 * 1024

/** Keeps one socket between requests. Node reads the idle socket and closes it when the server does. */
class SocketAgent extends Agent {
  readonly #socket: Socket
  #given = false

  constructor(socket: Socket) {
    super({ keepAlive: true, maxSockets: 1 })
    this.#socket = socket
  }

  override createConnection(_options: unknown, done?: (error: Error | null, socket: Socket) => void) {
    if (!this.#given) {
      this.#given = true
      return this.#socket
    }
    // Node asks for a second socket once the first is closed.
    done?.(Object.assign(new Error('closed'), { code: 'ECONNRESET' }), this.#socket)
    return undefined
  }
}

function pairs(raw: readonly string[]): HeaderList {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i]!, raw[2 * i + 1]!] as const)
}

/** True for a response that is a stream of events, without a coding. */
function isEventStream({ headers }: IncomingMessage): boolean {
  const plain = headers['content-encoding'] === undefined
  return plain && /^text\/event-stream(?:$|[ ;])/i.test(headers['content-type'] ?? '')
}

async function readBody(
  message: IncomingMessage,
  limit: number,
  isEnough: (chunk: Buffer) => boolean,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limit) throw new CodingError('EMSGSIZE', `is larger than ${size(limit)}`)
    chunks.push(chunk)
    // Leaving the loop closes the connection.
    if (isEnough(chunk)) break
  }
  return Buffer.concat(chunks, length)
}

function tlsOf(socket: Socket): Connection['tls'] {
  if (!(socket instanceof TLSSocket)) return undefined
  return { protocol: socket.getProtocol() ?? 'TLS', cipher: socket.getCipher().name }
}

/** Returns an HTTP connection on a socket. */
export function connectionOn(socket: Socket): Connection {
  const agent = new SocketAgent(socket)
  const start = ({ method, target, headers, body }: OutgoingRequest, signal: AbortSignal): ClientRequest =>
    // Node adds no headers when they are passed as a list.
    startRequest({
      agent,
      method,
      path: target,
      headers: headers.flat(),
      maxHeaderSize: MAX_HEAD,
      signal,
    }).end(body)

  const tls = tlsOf(socket)
  const { localAddress, localPort, remotePort } = socket
  return {
    ends: { localAddress, localPort, remotePort },
    ...(tls && { tls }),
    get open() {
      return !socket.destroyed && socket.readable
    },
    async exchange(request, { signal, maxBody, enough }) {
      const before = socket.bytesRead
      const message = await new Promise<IncomingMessage>((resolve, reject) => {
        start(request, signal)
          .once('response', resolve)
          .on('error', error => {
            const unanswered = socket.bytesRead === before && ended.has(codeOf(error) ?? '')
            reject(unanswered ? new Unanswered('no answer', { cause: error }) : error)
          })
      })
      const watch = enough && isEventStream(message) ? watchEvents(enough) : () => false
      const wire = await readBody(message, maxBody, watch)
      return { status: message.statusCode ?? 0, headers: pairs(message.rawHeaders), wire }
    },
    connect: (target, headers, signal) =>
      new Promise((resolve, reject) => {
        start({ method: 'CONNECT', target, headers, body: new Uint8Array() }, signal)
          .once('connect', ({ statusCode = 0 }, tunnel: Socket) => {
            resolve({ status: statusCode, socket: tunnel })
          })
          .on('error', reject)
      }),
    close() {
      socket.destroy()
    },
  }
}

/** The blank line behind an event (HTML standard, server-sent events). */
const BLANK_LINE = /\n\r?\n|\r\r/

/**
 * Watches a stream of events chunk by chunk, and hands over its whole events. A search covers each byte once, however small the
 * chunks are.
 * @returns a function that returns true once the events are enough
 */
export function watchEvents(enough: (events: string) => boolean): (chunk: Buffer) => boolean {
  let parts: Buffer[] = []
  let tail = ''
  return chunk => {
    const seen = tail + chunk.toString('latin1')
    parts.push(chunk)
    tail = seen.slice(-2)
    if (!BLANK_LINE.test(seen)) return false
    const all = Buffer.concat(parts)
    const text = all.toString('latin1')
    const end = Math.max(
      ...['\n\n', '\n\r\n', '\r\r'].map(each => {
        const at = text.lastIndexOf(each)
        return at < 0 ? 0 : at + each.length
      }),
    )
    parts = [all.subarray(end)]
    tail = text.slice(end).slice(-2)
    return enough(all.toString('utf8', 0, end))
  }
}
