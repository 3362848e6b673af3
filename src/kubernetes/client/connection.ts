import http, { type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import tls, { type ConnectionOptions, rootCertificates } from 'node:tls'
import { CodingError } from '../../client/content-coding.js'
import { nodeExchange } from '../../client/node-exchange.js'
import { TimeoutError, TransportError, UserError } from '../../errors.js'
import type { Exchange, Send } from '../../http/exchange.js'
import type { HttpRequest } from '../../http/message.js'
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
    const reached = await options(new URL(request.url), signal)
    return nodeExchange(request, { request: reached, signal, now, limit: MAX_ANSWER })
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
