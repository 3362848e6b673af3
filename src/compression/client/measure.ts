import net from 'node:net'
import tls from 'node:tls'
import { type Authorities, authorities } from '../../client/transport/authorities.js'
import { transportError } from '../../client/transport-errors.js'
import { TimeoutError, TransportError } from '../../errors.js'
import { type HttpRequest, headerValues, splitUrl } from '../../http/message.js'
import { AnswerError, createAnswerReader, type WireAnswer } from './answer-reader.js'

/** A request that is sent as it is, with Host and, for a body, Content-Length. */
export interface MeasuredRequest extends Pick<HttpRequest, 'method' | 'url' | 'headers'> {
  readonly httpVersion?: string | undefined
  readonly body?: Uint8Array
}

/** An answer, and all bytes that travelled for it. */
export interface Measured extends WireAnswer {
  /** Bytes of the request before TLS. */
  readonly requestBytes: number
  /** The bytes that TLS added: those of the handshake, each way, and its overhead for the answer. Absent for plain HTTP. */
  readonly tls?: {
    readonly protocol: string
    readonly handshake: { readonly sent: number; readonly received: number }
    readonly overhead: number
  }
  /** Milliseconds from sending to the last byte, rounded to a tenth. */
  readonly ms: number
}

/** The settings of a measurement. */
export interface MeasureOptions {
  /** Certificates to trust besides those that Node.js trusts, PEM. */
  readonly caPem?: string | undefined
  readonly timeoutMs?: number | undefined
  /** Sends one request only. By default a second one over the same connection counts the bytes that TLS adds. */
  readonly once?: boolean
  /** Most wire bytes of the body. */
  readonly limit?: number
}

const DEFAULT_TIMEOUT = 30_000
const DEFAULT_LIMIT = 64 * 1024 * 1024

const made = new Map<string, Authorities>()

/** Trusts `caPem` and what Node.js trusts. The result is kept, because reading the certificates takes longer than a handshake. */
function trusting(caPem: string): tls.SecureContext {
  const trusted = made.get(caPem) ?? authorities({ caPem }, process.env)
  made.set(caPem, trusted)
  return trusted.all()
}

function connect(url: URL, caPem: string | undefined): { raw: net.Socket; stream: net.Socket } {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'https:'
  const raw = net.connect({ host, port: Number(url.port) || (secure ? 443 : 80) })
  if (!secure) return { raw, stream: raw }
  const trust = caPem === undefined ? {} : { secureContext: trusting(caPem) }
  const servername = net.isIP(host) === 0 ? { servername: host } : {}
  // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
  return {
    raw,
    stream: tls.connect({ socket: raw, host, ...servername, ...trust, rejectUnauthorized: true }),
  }
}

function written({ method, url, headers, body, httpVersion = '1.1' }: MeasuredRequest): Buffer {
  const { path, query } = splitUrl(url)
  const target = query === '' ? path : `${path}?${query}`
  const lines = [
    `${method} ${target} HTTP/${httpVersion}`,
    `Host: ${new URL(url).host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || body.length === 0 ? [] : [`Content-Length: ${body.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

/** Sends bytes and reads one answer. */
function ask(stream: net.Socket, request: Buffer, method: string, limit: number): Promise<WireAnswer> {
  const reader = createAnswerReader({ method, limit })
  return new Promise((resolve, reject) => {
    const settle = (act: () => WireAnswer | undefined) => {
      try {
        const answer = act()
        if (answer === undefined) return
        stop()
        resolve(answer)
      } catch (error) {
        stop()
        reject(error)
      }
    }
    const data = (chunk: Buffer) => settle(() => reader.feed(chunk))
    const end = () => settle(() => reader.end())
    const fail = (error: Error) => {
      stop()
      reject(error)
    }
    const stop = () => stream.off('data', data).off('end', end).off('close', end).off('error', fail)
    stream.on('data', data).on('end', end).on('close', end).on('error', fail)
    stream.write(request)
  })
}

function ready(stream: net.Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once(stream instanceof tls.TLSSocket ? 'secureConnect' : 'connect', resolve)
    stream.once('error', reject)
    stream.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
  })
}

/** Safe methods: requests that change nothing may be sent twice (RFC 9110 §9.2.1). */
const SAFE = new Set(['GET', 'HEAD'])

/**
 * Sends a request over a new connection. Counts the bytes of head, body and framing before TLS, and the bytes that TLS adds.
 * Session tickets may come with the first answer of a TLS connection. So TLS is measured with a second, equal request, when
 * the method is safe and the server keeps the connection open.
 * @throws TransportError, TimeoutError
 */
export async function measure(request: MeasuredRequest, options: MeasureOptions = {}): Promise<Measured> {
  const { caPem, timeoutMs = DEFAULT_TIMEOUT, once = false, limit = DEFAULT_LIMIT } = options
  const url = new URL(request.url)
  const { method, httpVersion = '1.1' } = request
  const bytes = written(request)
  const { raw, stream } = connect(url, caPem)
  // The raw socket and the TLS socket may both report a failure. The first report counts.
  raw.on('error', () => {})
  stream.on('error', () => {})
  let late = false
  const timer = setTimeout(() => {
    late = true
    raw.destroy()
  }, timeoutMs)
  try {
    await ready(stream)
    const handshake = { sent: raw.bytesWritten, received: raw.bytesRead }
    let before = raw.bytesRead
    let started = performance.now()
    let answer = await ask(stream, bytes, method, limit)
    const secure = stream instanceof tls.TLSSocket ? stream : undefined
    if (secure && !once && SAFE.has(method) && httpVersion === '1.1' && keepsOpen(answer)) {
      // Session tickets may follow the first answer.
      await new Promise(setImmediate)
      before = raw.bytesRead
      started = performance.now()
      answer = await ask(stream, bytes, method, limit)
    }
    const ms = Math.round((performance.now() - started) * 10) / 10
    const measured = { ...answer, requestBytes: bytes.length, ms }
    if (secure === undefined) return measured
    const { head, body, framing } = answer.bytes
    const overhead = raw.bytesRead - before - head - body - framing
    return { ...measured, tls: { protocol: secure.getProtocol() ?? 'TLS', handshake, overhead } }
  } catch (error) {
    if (late) {
      throw new TimeoutError(`no answer from ${url.origin} within ${timeoutMs / 1000} s`, [
        'Wait longer:   --timeout 2m',
      ])
    }
    if (error instanceof AnswerError) {
      throw new TransportError(
        `the answer of ${url.origin} cannot be read: ${error.message} (EBADMSG)`,
        'EBADMSG',
      )
    }
    throw transportError(error, url.origin)
  } finally {
    clearTimeout(timer)
    stream.destroy()
    raw.destroy()
  }
}

/** True when the server accepts another request on this connection (RFC 9112 §9.3). */
function keepsOpen({ httpVersion, headers }: WireAnswer): boolean {
  return httpVersion === '1.1' && !/\bclose\b/i.test(headerValues({ headers }, 'connection').join())
}
