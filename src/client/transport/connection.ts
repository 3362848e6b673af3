import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Dispatcher } from 'undici'
import type { Exchange } from '../../http/exchange.js'
import type { HeaderList } from '../../http/message.js'
import { CodingError, size } from '../content-coding.js'
import { codeOf } from '../transport-errors.js'

/** A request as one connection sends it. */
export interface OutgoingRequest {
  readonly method: string
  /** Path and query; the whole URL towards a proxy for plain HTTP (RFC 9112 §3.2.2). */
  readonly target: string
  readonly headers: HeaderList
  readonly body: Uint8Array
}

/** An answer, its body as it travelled. */
export interface Answer {
  readonly status: number
  readonly headers: HeaderList
  readonly wire: Uint8Array
}

/** How far an exchange may go. */
export interface ExchangeLimits {
  readonly signal: AbortSignal
  /** Most bytes of a body as it travels. */
  readonly maxBody: number
}

/** The two ends of a connection, as the client sees them. */
export interface ConnectionEnds {
  readonly localAddress: string | undefined
  readonly localPort: number | undefined
  readonly remotePort: number | undefined
}

/** One connection, for one request at a time. */
export interface Connection {
  readonly ends: ConnectionEnds
  readonly tls?: NonNullable<Exchange['tls']>
  /** False once the connection is closed. */
  readonly open: boolean
  /** @throws Unanswered, CodingError, another error of the network, or the reason of the signal */
  exchange(request: OutgoingRequest, limits: ExchangeLimits): Promise<Answer>
  /** Asks a proxy for a tunnel (RFC 9110 §9.3.6). The connection is of no use afterwards. */
  connect(target: string, headers: HeaderList, signal: AbortSignal): Promise<Tunnel>
  close(): void
}

/** The answer of a proxy to CONNECT; with a status of 2xx the socket leads to the target. */
export interface Tunnel {
  readonly status: number
  readonly socket: Socket
}

/** The connection ended before the first byte of an answer. */
export class Unanswered extends Error {
  override name = 'Unanswered'
}

const ended = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE'])

/** Longest head of an answer, in bytes. */
const MAX_HEAD = 64 * 1024

function pairs(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  const flat = Array.isArray(raw) ? raw.map(each => each.toString('latin1')) : []
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!] as const)
}

function tlsOf(socket: Socket): Connection['tls'] {
  if (!(socket instanceof TLSSocket)) return undefined
  return { protocol: socket.getProtocol() ?? 'TLS', cipher: socket.getCipher().name }
}

/** Puts HTTP on a socket. `origin` is the server, or the proxy, at its other end. */
export async function connectionOn(socket: Socket, origin: string): Promise<Connection> {
  // The only import of undici: the program loads it with the first request.
  const { Client } = await import('undici')
  let handedOver = false
  const client = new Client(origin, {
    connect: (_options, done) => {
      // undici asks again once the socket is closed. It expects the answer in a later turn.
      const answer = handedOver
        ? () => done(Object.assign(new Error('closed'), { code: 'ECONNRESET' }), null)
        : () => done(null, socket)
      handedOver = true
      queueMicrotask(answer)
    },
    // One clock runs for the whole exchange, in the transport.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEAD,
  })
  const close = (): void => {
    void client.destroy()
    socket.destroy()
  }

  /** Dispatches one request and closes the connection when the signal is aborted. */
  function dispatch<T>(
    { target, body, headers, method }: OutgoingRequest,
    signal: AbortSignal,
    handler: (resolve: (value: T) => void) => Dispatcher.DispatchHandler,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let started = false
      const abort = (): void => {
        close()
        reject(signal.reason)
      }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      client.dispatch(
        {
          path: target,
          method: method as Dispatcher.HttpMethod,
          headers: headers.flat(),
          body: body.length > 0 ? body : null,
        },
        {
          onRequestStart() {},
          onResponseStarted() {
            started = true
          },
          onResponseError(_controller, error) {
            signal.removeEventListener('abort', abort)
            const unanswered = !started && ended.has(codeOf(error) ?? '')
            reject(unanswered ? new Unanswered('no answer', { cause: error }) : error)
          },
          ...handler(value => {
            signal.removeEventListener('abort', abort)
            resolve(value)
          }),
        },
      )
    })
  }

  const tls = tlsOf(socket)
  const { localAddress, localPort, remotePort } = socket
  return {
    ends: { localAddress, localPort, remotePort },
    ...(tls && { tls }),
    get open() {
      return !client.destroyed && !socket.destroyed
    },
    exchange: (request, { signal, maxBody }) =>
      dispatch<Answer>(request, signal, resolve => {
        const chunks: Buffer[] = []
        let length = 0
        let head: Pick<Answer, 'status' | 'headers'> = { status: 0, headers: [] }
        return {
          onResponseStart({ rawHeaders }, status) {
            head = { status, headers: pairs(rawHeaders) }
          },
          onResponseData(controller, chunk) {
            length += chunk.length
            if (length > maxBody) {
              controller.abort(new CodingError('EMSGSIZE', `is larger than ${size(maxBody)}`))
            } else {
              chunks.push(chunk)
            }
          },
          onResponseEnd() {
            resolve({ ...head, wire: Buffer.concat(chunks, length) })
          },
        }
      }),
    connect: (target, headers, signal) =>
      dispatch<Tunnel>({ method: 'CONNECT', target, headers, body: new Uint8Array() }, signal, resolve => ({
        onRequestUpgrade(_controller, status, _headers, tunnel) {
          // undici hands back the socket it was given.
          resolve({ status, socket: tunnel as Socket })
        },
      })),
    close,
  }
}
