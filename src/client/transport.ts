import { Socket } from 'node:net'
import { createSecureContext, rootCertificates, TLSSocket } from 'node:tls'
import { Agent, buildConnector } from 'undici'
import { TimeoutError, TransportError } from '../errors.js'
import type { Exchange, Send } from '../http/exchange.js'
import type { HeaderList, HttpRequest } from '../http/message.js'
import { splitUrl, text } from '../http/message.js'
import { CodingError, decodeBody, size } from './content-coding.js'
import { transportError } from './transport-errors.js'

/** The largest body that is read, as it travels and again after decoding, in bytes. */
export const MAX_BODY = 1024 * 1024

/** The default time for one exchange, in milliseconds. */
export const DEFAULT_TIMEOUT = 30_000

/** How to reach servers. */
export interface TransportOptions {
  /** Certificates to trust besides the well-known roots, PEM. */
  readonly caPem?: string
  /** Milliseconds for one exchange, connecting included. */
  readonly timeoutMs?: number
  /** Milliseconds since the epoch, for the `at` of exchanges. */
  readonly now?: () => number
}

/** Sends requests; holds connections until closed. */
export interface Transport {
  readonly send: Send
  close(): Promise<void>
}

type TlsFacts = NonNullable<Exchange['tls']>

/** Names of this machine. Well-known roots sign for no internal name and no reserved address. */
const thisMachine = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i

/**
 * Opens connections for the agent, and keeps what TLS agreed on with each origin. The secure contexts are made once, for
 * the first connection that needs each: reading all root certificates costs more than ten handshakes, and who only
 * speaks to a lab on this machine needs none of them.
 */
function connector(caPem: string | undefined) {
  const facts = new Map<string, TlsFacts>()
  const unfinished = new Set<Socket>()
  const build = (ca: readonly string[]) =>
    buildConnector({
      secureContext: createSecureContext({ ca: [...ca] }),
      // Said aloud, since NODE_TLS_REJECT_UNAUTHORIZED would change the default.
      rejectUnauthorized: true,
      timeout: 0,
    })
  let here: buildConnector.connector | undefined
  let anywhere: buildConnector.connector | undefined
  const connectorTo = (hostname: string): buildConnector.connector => {
    if (caPem !== undefined && thisMachine.test(hostname)) {
      here ??= build([caPem])
      return here
    }
    anywhere ??= build(caPem === undefined ? rootCertificates : [...rootCertificates, caPem])
    return anywhere
  }
  const remember: buildConnector.connector = (options, done) => {
    const connect = connectorTo(options.hostname)
    // It returns the socket, though it is not declared to.
    const connecting: unknown = connect(options, (...result) => {
      const [, socket] = result
      if (connecting instanceof Socket) unfinished.delete(connecting)
      if (socket instanceof TLSSocket) {
        const origin = `${options.protocol}//${options.host}`
        facts.set(origin, { protocol: socket.getProtocol() ?? 'TLS', cipher: socket.getCipher().name })
      }
      done(...result)
    })
    if (connecting instanceof Socket) unfinished.add(connecting)
  }
  /** The agent does not know of these yet, and they would keep the process. */
  const abandon = (): void => {
    for (const socket of unfinished) socket.destroy()
  }
  return { connect: remember, facts, abandon }
}

/** The headers as undici writes them: host and connection first, content-length last. */
function headersAsSent(request: HttpRequest, host: string): HeaderList {
  const hasBody = request.body.length > 0 || /^(POST|PUT|PATCH)$/.test(request.method)
  return [
    ['host', host],
    ['connection', request.method === 'HEAD' ? 'close' : 'keep-alive'],
    ...request.headers,
    ...(hasBody ? [['content-length', String(request.body.length)] as const] : []),
  ]
}

function pairs(raw: unknown): HeaderList {
  const flat = Array.isArray(raw) ? raw.map(String) : []
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!] as const)
}

async function readLimited(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > MAX_BODY) throw new CodingError('EMSGSIZE', `is larger than ${size(MAX_BODY)}`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/**
 * A client for HTTP and HTTPS that records every exchange. It follows no redirect and believes only the well-known
 * roots and `caPem`. `send` throws TransportError (no answer, or one that cannot be read), TimeoutError, or the
 * reason of an aborted signal.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const { caPem, timeoutMs = DEFAULT_TIMEOUT, now = Date.now } = options
  const { connect, facts, abandon } = connector(caPem)
  // One clock for the whole exchange, connecting included, instead of undici's separate ones.
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 })

  const send: Send = async (request, { signal } = {}) => {
    signal?.throwIfAborted()
    const { origin, path, query } = splitUrl(request.url)
    const timeout = AbortSignal.timeout(timeoutMs)
    const ended = signal ? AbortSignal.any([signal, timeout]) : timeout
    const at = new Date(now()).toISOString()
    const started = performance.now()
    try {
      const asked = agent.request({
        origin,
        path: query === '' ? path : `${path}?${query}`,
        method: request.method as 'GET',
        headers: request.headers.flat(),
        body: request.body.length > 0 ? request.body : null,
        signal: ended,
        responseHeaders: 'raw',
      })
      const answer = await unlessEnded(asked, ended)
      const wire = await readLimited(answer.body)
      const headers = pairs(answer.headers)
      const body = decodeBody(headers, wire, MAX_BODY)
      const ms = Math.round((performance.now() - started) * 10) / 10
      const { host } = new URL(request.url)
      const tls = facts.get(`https://${host}`)
      return {
        request: {
          method: request.method,
          url: request.url,
          headers: headersAsSent(request, host),
          body: text(request.body),
        },
        response: { status: answer.statusCode, headers, body: text(body) },
        wireBytes: { request: request.body.length, response: wire.length },
        bodyBytes: body.length,
        ms,
        at,
        ...(tls && origin.startsWith('https:') ? { tls } : {}),
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (timeout.aborted) throw timedOut(origin, timeoutMs)
      if (error instanceof CodingError) {
        throw new TransportError(`the answer of ${origin} ${error.message} (${error.code})`, error.code)
      }
      throw transportError(error, origin)
    }
  }
  const close = async (): Promise<void> => {
    abandon()
    await agent.destroy()
  }
  return { send, close }
}

/** The agent hears of an abort only once it is connected; a handshake that never ends would keep the caller. */
function unlessEnded<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function timedOut(origin: string, timeoutMs: number): TimeoutError {
  return new TimeoutError(`no answer from ${origin} within ${timeoutMs / 1000} s`, [
    'Wait longer:   --timeout 2m',
  ])
}
