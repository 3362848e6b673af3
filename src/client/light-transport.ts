import http from 'node:http'
import https from 'node:https'
import { rootCertificates } from 'node:tls'
import { TimeoutError, TransportError } from '../errors.js'
import type { Send } from '../http/exchange.js'
import { splitUrl } from '../http/message.js'
import { CodingError } from './content-coding.js'
import { nodeExchange } from './node-exchange.js'
import { transportError } from './transport-errors.js'

/** The largest answer that is read, in bytes: a page of events whose senders chose how long they are. */
const MAX_ANSWER = 8 * 1024 * 1024

/** How to reach a server. */
export interface LightOptions {
  /** Certificates to trust, PEM; left out: the well-known roots. */
  readonly caPem?: string
  /** Trust the well-known roots beside `caPem`, which takes a while to read. */
  readonly roots: boolean
  /** Milliseconds for one exchange, connecting included. */
  readonly timeoutMs: number
  /** Milliseconds since the epoch, for the `at` of exchanges. */
  readonly now?: () => number
}

/** Sends requests; holds connections until closed. */
export interface LightTransport {
  readonly send: Send
  close(): void
}

/**
 * A client on Node's own HTTP and HTTPS, for commands that have to start fast. Follows no redirect. `send` throws
 * TransportError (no answer, or one that cannot be read), TimeoutError, or the reason of an aborted signal.
 */
export function createLightTransport({
  caPem,
  roots,
  timeoutMs,
  now = Date.now,
}: LightOptions): LightTransport {
  const ca = caPem === undefined ? undefined : roots ? [...rootCertificates, caPem] : [caPem]
  const secure = new https.Agent({ keepAlive: true })
  const plain = new http.Agent({ keepAlive: true })
  // Said aloud, since NODE_TLS_REJECT_UNAUTHORIZED would change the default.
  const tls = { agent: secure, rejectUnauthorized: true, ...(ca && { ca }) }
  const send: Send = async (request, { signal } = {}) => {
    signal?.throwIfAborted()
    const timeout = AbortSignal.timeout(timeoutMs)
    const ended = signal ? AbortSignal.any([signal, timeout]) : timeout
    const { origin } = splitUrl(request.url)
    try {
      const options = request.url.startsWith('https:') ? tls : { agent: plain }
      return await nodeExchange(request, { request: options, signal: ended, now, limit: MAX_ANSWER })
    } catch (error) {
      signal?.throwIfAborted()
      if (timeout.aborted) {
        throw new TimeoutError(`no answer from ${origin} within ${timeoutMs / 1000} s`, [
          'Wait longer:   --timeout 2m',
        ])
      }
      if (error instanceof CodingError) {
        throw new TransportError(`the answer of ${origin} ${error.message} (${error.code})`, error.code)
      }
      throw transportError(error, origin)
    }
  }
  return {
    send,
    close: () => {
      secure.destroy()
      plain.destroy()
    },
  }
}
