import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP, type Socket } from 'node:net'
import tls, { type ConnectionOptions, rootCertificates, TLSSocket } from 'node:tls'
import { CodingError, decodeBody, size } from '../../client/content-coding.js'
import { TimeoutError, TransportError, UserError } from '../../errors.js'
import type { Exchange, Send } from '../../http/exchange.js'
import { type HeaderList, type HttpRequest, text } from '../../http/message.js'
import type { ClusterAccess } from './access.js'
import { connectionError } from './connection-errors.js'
import { openTunnel } from './tunnel.js'

/** The largest answer that is read, in bytes. A list of all accounts of a large cluster fits. */
export const MAX_ANSWER = 16 * 1024 * 1024

/** Sends requests to one cluster; holds a connection until closed. */
export interface Connection {
  readonly send: Send
  close(): void
}

/** Limits of a connection. */
export interface ConnectionLimits {
  /** Milliseconds for one exchange, connecting included. */
  readonly timeoutMs: number
  /** Milliseconds since the epoch, for the `at` of exchanges. */
  readonly now?: () => number
}

function tlsOptions({ caPem, roots, insecure, serverName, credential }: ClusterAccess): ConnectionOptions {
  const ca = caPem === undefined ? undefined : roots ? [...rootCertificates, caPem] : [caPem]
  return {
    ...(ca && { ca }),
    // Said aloud, since NODE_TLS_REJECT_UNAUTHORIZED would change the default.
    rejectUnauthorized: insecure !== true,
    ...(serverName !== undefined && { servername: serverName }),
    ...(credential.kind === 'certificate' && { cert: credential.cert, key: credential.key }),
  }
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_ANSWER) throw new CodingError('EMSGSIZE', `is larger than ${size(MAX_ANSWER)}`)
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
 * A client of one API server, on Node's own HTTPS: it loads in a fraction of the time of a full client, which counts
 * in a command that people put into scripts and credential plugins. Follows no redirect.
 * `send` throws TransportError (no answer, or none that can be read), TimeoutError, or the reason of an aborted signal.
 */
export function createConnection(
  access: ClusterAccess,
  { timeoutMs, now = Date.now }: ConnectionLimits,
): Connection {
  const secure = access.server.startsWith('https:')
  const agent = secure
    ? new https.Agent({ keepAlive: true, maxSockets: 4 })
    : new http.Agent({ keepAlive: true })
  const ofTls = secure ? tlsOptions(access) : {}

  async function options(url: URL, signal: AbortSignal): Promise<RequestOptions> {
    const { proxyUrl, serverName } = access
    if (proxyUrl === undefined) return { agent, ...ofTls }
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const port = Number(url.port || (secure ? 443 : 80))
    const socket = await openTunnel(proxyUrl, { host, port, signal })
    const name = serverName ?? (isIP(host) ? undefined : host)
    return {
      // Without an agent: with any, even `false`, Node would pass over this and go there directly.
      createConnection: () =>
        secure
          ? tls.connect({ ...ofTls, host, socket, ...(name !== undefined && { servername: name }) })
          : socket,
    }
  }

  async function exchange(request: HttpRequest, signal: AbortSignal): Promise<Exchange> {
    const { method, url, headers, body } = request
    const target = new URL(url)
    const sent: HeaderList = [
      ['host', target.host],
      ...headers,
      ...(body.length > 0 ? [['content-length', String(body.length)] as const] : []),
    ]
    const at = new Date(now()).toISOString()
    const started = performance.now()
    const reached = await options(target, signal)
    const { message, socket } = await new Promise<{ message: IncomingMessage; socket: Socket }>(
      (resolve, reject) => {
        const asked = (secure ? https : http).request(url, {
          ...reached,
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
    const wire = await readBody(message)
    const received = pairs(message.rawHeaders)
    const decoded = decodeBody(received, wire, MAX_ANSWER)
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

  const send: Send = async (request, { signal } = {}) => {
    signal?.throwIfAborted()
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      return await exchange(request, signal ? AbortSignal.any([signal, timeout]) : timeout)
    } catch (error) {
      signal?.throwIfAborted()
      if (timeout.aborted) {
        throw new TimeoutError(`no answer from ${access.server} within ${timeoutMs / 1000} s`, [
          'Wait longer:   --timeout 2m',
        ])
      }
      if (error instanceof UserError) throw error
      if (error instanceof CodingError) {
        throw new TransportError(
          `the answer of ${access.server} ${error.message} (${error.code})`,
          error.code,
        )
      }
      throw connectionError(error, access)
    }
  }
  return { send, close: () => agent.destroy() }
}
