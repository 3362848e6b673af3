import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { NewEvent } from '../../protocol/events.js'
import { handshakeReason, handshakeText } from './handshake-failure.js'

/** Milliseconds that a client has to read the answer to plain HTTP. */
const READ_TIME = 1000

/**
 * The TCP socket below a TLS socket. Node has no public name for it, and closes the TLS socket before it reports the failure: the answer to
 * plain HTTP, and the bytes that came, are on the TCP socket alone.
 */
function below(socket: TLSSocket): Socket | undefined {
  return (socket as { readonly _parent?: Socket })._parent
}

/** Answers plain HTTP on a TLS port, and closes the connection. */
function answerPlainHttp(socket: Socket, baseUrl: string): void {
  const body = `This port speaks HTTPS: use ${baseUrl}/\n`
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), READ_TIME).unref()
}

/** The parts of a listener that its handshakes need. */
export interface HandshakeWatch {
  /** The https address of the listener, no trailing slash. */
  readonly baseUrl: () => string
  /** The name of the site behind the listener. */
  readonly site: () => string
  readonly publish: (event: NewEvent) => void
}

/**
 * Publishes `handshake.failed` for each failed TLS handshake of a server, and answers plain HTTP with 400. A connection that ends before its
 * first byte is no handshake: checks of a port do that.
 */
export function watchHandshakes(server: Server, { baseUrl, site, publish }: HandshakeWatch): void {
  // Node asks the system for the address once. After the end of the connection the system does not know it.
  server.on('connection', (socket: Socket) => socket.remoteAddress)
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    const tcp = below(socket)
    if (tcp?.bytesRead === 0) return
    const reason = handshakeReason(error.code)
    if (reason === 'plain_http' && tcp?.writable) answerPlainHttp(tcp, baseUrl())
    const text = handshakeText(reason, error.code ?? '', baseUrl())
    const remoteAddress = tcp?.remoteAddress
    publish({
      type: 'handshake.failed',
      site: site(),
      ...(remoteAddress !== undefined && { remoteAddress }),
      reason,
      ...text,
    })
  })
}
