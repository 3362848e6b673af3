import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { NewEvent } from '../../protocol/events.js'

/** Why a TLS handshake failed, as far as the listener learned it. */
export type HandshakeReason =
  | 'unknown_ca'
  | 'certificate_refused'
  | 'certificate_expired'
  | 'protocol_version'
  | 'no_shared_cipher'
  | 'plain_http'
  | 'not_tls'
  | 'closed'
  | 'timeout'
  | 'other'

/** By the names of OpenSSL (RFC 8446 §6.2). */
const ALERTS = new Map<string, HandshakeReason>(
  Object.entries({
    UNKNOWN_CA: 'unknown_ca',
    BAD_CERTIFICATE: 'certificate_refused',
    CERTIFICATE_UNKNOWN: 'certificate_refused',
    UNSUPPORTED_CERTIFICATE: 'certificate_refused',
    CERTIFICATE_REVOKED: 'certificate_refused',
    CERTIFICATE_EXPIRED: 'certificate_expired',
    PROTOCOL_VERSION: 'protocol_version',
    HANDSHAKE_FAILURE: 'no_shared_cipher',
    INSUFFICIENT_SECURITY: 'no_shared_cipher',
    USER_CANCELED: 'closed',
    CLOSE_NOTIFY: 'closed',
  }),
)

const ERRORS = new Map<string, HandshakeReason>(
  Object.entries({
    ERR_SSL_HTTP_REQUEST: 'plain_http',
    ERR_SSL_HTTPS_PROXY_REQUEST: 'plain_http',
    ERR_SSL_WRONG_VERSION_NUMBER: 'not_tls',
    ERR_SSL_UNSUPPORTED_PROTOCOL: 'protocol_version',
    ERR_SSL_VERSION_TOO_LOW: 'protocol_version',
    ERR_SSL_NO_SHARED_CIPHER: 'no_shared_cipher',
    ERR_SSL_NO_SUITABLE_KEY_SHARE: 'no_shared_cipher',
    ERR_SSL_NO_SUITABLE_SIGNATURE_ALGORITHM: 'no_shared_cipher',
    ERR_SSL_UNEXPECTED_EOF_WHILE_READING: 'closed',
    ECONNRESET: 'closed',
    EPIPE: 'closed',
    ERR_TLS_HANDSHAKE_TIMEOUT: 'timeout',
  }),
)

/** The reason behind an error code of a TLS server. */
export function handshakeReason(code = ''): HandshakeReason {
  // OpenSSL 3.2 writes SSL/TLS_ALERT_…, versions before it SSLV3_ALERT_… or TLSV1_ALERT_….
  const alert = /_ALERT_(\w+)$/.exec(code)?.[1]
  return (alert === undefined ? ERRORS.get(code) : ALERTS.get(alert)) ?? 'other'
}

const TRUST = 'make it trust the CA of the lab:  oauth-lab ca env'

interface HandshakeText {
  /** Follows the address of the client. */
  readonly description: string
  /** The next move. */
  readonly hint?: string
}

/**
 * @param code for reasons without a name
 * @param baseUrl no trailing slash
 */
export function handshakeText(reason: HandshakeReason, code: string, baseUrl: string): HandshakeText {
  switch (reason) {
    case 'unknown_ca':
      return { description: 'gave up the handshake: unknown CA', hint: TRUST }
    case 'certificate_refused':
      return {
        description: 'gave up the handshake: it refuses the certificate, its CA or its names',
        hint: `${TRUST}  (names: oauth-lab ca show)`,
      }
    case 'certificate_expired':
      return { description: 'gave up the handshake: certificate expired', hint: 'compare the clocks' }
    case 'protocol_version':
      return { description: 'offers no TLS version of this lab', hint: 'use TLS 1.2 or TLS 1.3' }
    case 'no_shared_cipher':
      return {
        description: 'shares no cipher or signature algorithm with this lab',
        hint: 'allow ECDSA P-256',
      }
    case 'plain_http':
      return { description: 'sent plain HTTP to a TLS port, and was answered 400', hint: `use ${baseUrl}` }
    case 'not_tls':
      return { description: 'sent something that is not TLS', hint: `use ${baseUrl}` }
    case 'closed':
      return {
        description:
          'closed the connection in the handshake, as Node.js and Java do when they do not trust the CA',
        hint: TRUST,
      }
    case 'timeout':
      return { description: 'did not finish the handshake in time' }
    case 'other':
      return { description: `failed the handshake: ${code || 'unknown error'}` }
  }
}

/** Milliseconds to read the answer to plain HTTP. */
const READ_TIME = 1000

/**
 * The TCP socket below a TLS socket, which has the answer to plain HTTP and the bytes that came. Node has no public name for
 * it, and closes the TLS socket before it reports the failure.
 */
function below(socket: TLSSocket): Socket | undefined {
  return (socket as { readonly _parent?: Socket })._parent
}

/** Then closes the connection. */
function answerPlainHttp(socket: Socket, baseUrl: string): void {
  const body = `This port speaks HTTPS: use ${baseUrl}/\n`
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), READ_TIME).unref()
}

interface HandshakeWatch {
  /** No trailing slash. */
  readonly baseUrl: () => string
  readonly site: () => string
  readonly publish: (event: NewEvent) => void
}

/** Publishes `handshake.failed`, and answers plain HTTP with 400. A connection without a byte is the check of a port. */
export function watchHandshakes(server: Server, { baseUrl, site, publish }: HandshakeWatch): void {
  // Node asks for the address once, and after the end of the connection the system does not know it.
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

/** RFC 8446 §B.4. Node drops suites that a list leaves out. */
const TLS_1_3 = ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256']

/** RFC 9325 §4.2, by OpenSSL's names. */
const TLS_1_2 = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
]

/** For the option `ciphers` of `node:tls`. */
export const CIPHER_SUITES = [...TLS_1_3, ...TLS_1_2].join(':')
