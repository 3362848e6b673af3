import net from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { transportError } from '../../../client/transport-errors.js'
import { TimeoutError, TransportError, UsageError, UserError } from '../../../protocol/errors.js'
import { type HttpRequest, header, splitUrl } from '../../../protocol/http/message.js'
import { AnswerError, createAnswerReader, type Head, type WireAnswer } from './answer-reader.js'
import { openConnection, type TlsBytes } from './connection.js'

/** An answer, and all bytes that travelled for it. */
interface Measured extends WireAnswer {
  /** Bytes of the request before TLS. */
  readonly requestBytes: number
  /** The bytes that TLS added: those of the handshake, each way, and its overhead for the answer. Absent for plain HTTP. */
  readonly tls?: TlsBytes
  /** Milliseconds from sending to the last byte, rounded to a tenth. */
  readonly ms: number
}

/** The settings of a measurement. */
export interface MeasureOptions {
  /** Certificates to trust besides those that Node.js trusts, PEM. */
  readonly caPem?: string | undefined
  readonly timeoutMs?: number | undefined
  /** Most wire bytes of the body. */
  readonly limit?: number
}

const DEFAULT_TIMEOUT = 30_000
const DEFAULT_LIMIT = 64 * 1024 * 1024

/** Sends bytes and reads one answer. */
function ask(stream: Duplex, request: Buffer, method: string, limit: number): Promise<WireAnswer> {
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

/**
 * Sends a request over a new connection. Counts the bytes of head, body and framing before TLS, and the bytes that TLS adds.
 * @throws UsageError for a request that HTTP cannot carry, TransportError, TimeoutError
 */
export async function measure(request: MeasuredRequest, options: MeasureOptions = {}): Promise<Measured> {
  const { caPem, timeoutMs = DEFAULT_TIMEOUT, limit = DEFAULT_LIMIT } = options
  const url = new URL(request.url)
  const bytes = requestBytes(request)
  const raw = new net.Socket()
  let opened: Duplex | undefined
  let late = false
  const timer = setTimeout(() => {
    late = true
    raw.destroy(new Error('late'))
  }, timeoutMs)
  // The raw socket and the TLS socket may both report a failure. The first report counts.
  const broken = new Promise<never>((_, reject) => raw.on('error', reject))
  broken.catch(() => {})
  try {
    const { stream, tlsBytes } = await Promise.race([openConnection(raw, url, caPem), broken])
    opened = stream
    stream.on('error', () => {})
    const started = performance.now()
    const answer = await Promise.race([ask(stream, bytes, request.method, limit), broken])
    const ms = Math.round((performance.now() - started) * 10) / 10
    const { head, body, framing } = answer.bytes
    const tls = tlsBytes(head + body + framing)
    const measured = { ...answer, requestBytes: bytes.length, ms }
    return tls === undefined ? measured : { ...measured, tls }
  } catch (error) {
    throw late ? lateError(url, timeoutMs) : answerFailure(error, url)
  } finally {
    clearTimeout(timer)
    opened?.destroy()
    raw.destroy()
  }
}

/** An answer whose body is read while it comes. */
interface OpenedAnswer extends Head {
  /** Without its transfer coding, still in its content coding. Destroying it closes the connection. */
  readonly body: Readable
  /** Returns the body bytes that came so far. */
  readonly received: () => number
}

/**
 * Sends a request over a new connection, and returns its answer as soon as the headers are complete. A wait for more bytes
 * ends after the time-out. Errors after the headers destroy the body.
 * @throws UsageError for a request that HTTP cannot carry, TransportError, TimeoutError
 */
export function openAnswer(
  request: MeasuredRequest,
  { caPem, timeoutMs = DEFAULT_TIMEOUT }: Pick<MeasureOptions, 'caPem' | 'timeoutMs'>,
): Promise<OpenedAnswer> {
  const url = new URL(request.url)
  const bytes = requestBytes(request)
  const raw = new net.Socket()
  return new Promise((resolve, reject) => {
    let resume = () => {}
    let done = false
    let received = 0
    const body = new Readable({
      read: () => resume(),
      destroy(error, closed) {
        done = true
        clearTimeout(timer)
        raw.destroy()
        closed(error)
      },
    })
    // Before the headers nobody reads the body.
    body.on('error', reject)
    const fail = (error: unknown) => body.destroy(answerFailure(error, url))
    const timer = setTimeout(() => body.destroy(lateError(url, timeoutMs)), timeoutMs)
    raw.on('error', fail)
    openConnection(raw, url, caPem).then(({ stream }) => {
      const sink = {
        head: (head: Head) => resolve({ ...head, body, received: () => received }),
        piece: (piece: Uint8Array) => {
          received += piece.length
          if (!body.push(piece)) stream.pause()
        },
      }
      const reader = createAnswerReader({ method: request.method, limit: Number.POSITIVE_INFINITY, sink })
      const read = (act: () => unknown) => {
        if (done) return
        try {
          timer.refresh()
          if (act() === undefined) return
          done = true
          clearTimeout(timer)
          body.push(null)
          raw.destroy()
        } catch (error) {
          fail(error)
        }
      }
      resume = () => stream.resume()
      stream.on('data', (chunk: Buffer) => read(() => reader.feed(chunk)))
      stream.on('end', () => read(() => reader.end())).on('close', () => read(() => reader.end()))
      stream.on('error', fail)
      stream.write(bytes)
    }, fail)
  })
}

/** A request that is sent as it is, with Host and, for a body, Content-Length. */
export interface MeasuredRequest extends Pick<HttpRequest, 'method' | 'url' | 'headers'> {
  readonly httpVersion?: string | undefined
  readonly body?: Uint8Array
}

// RFC 9112 §3.2 has no blanks and no control characters in a request target, and RFC 9110 §5.5 none but tabs in a value. A
// character beyond U+00FF would be cut to one byte, and U+010A to a line feed.
const TARGET = /^[\x21-\x7e\x80-\xff]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** True for a name and a value that a header field can hold (RFC 9110 §5.1, §5.5). */
export function isField(name: string, value: string): boolean {
  return NAME.test(name) && VALUE.test(value)
}

/**
 * Returns the bytes of a request. Host comes first, unless the request has one.
 * @throws UsageError for a URL or a header field that would end its line, or lose characters
 */
function requestBytes({ method, url, headers, body, httpVersion = '1.1' }: MeasuredRequest): Buffer {
  const { path, query } = splitUrl(url)
  const target = query === '' ? path : `${path}?${query}`
  if (!TARGET.test(target)) {
    throw new UsageError('the URL has characters that a request line cannot hold (RFC 9112 §3.2)', [
      'Write them percent-encoded, a space as %20',
    ])
  }
  const bad = headers.find(([name, value]) => !isField(name, value))
  if (bad) throw new UsageError('a header field has characters that HTTP forbids (RFC 9110 §5.5)')
  const lines = [
    `${method} ${target} HTTP/${httpVersion}`,
    ...(header({ headers }, 'host') === undefined ? [`Host: ${new URL(url).host}`] : []),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || body.length === 0 ? [] : [`Content-Length: ${body.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

/** The error of a server that did not answer in time. */
function lateError({ origin }: URL, timeoutMs: number): TimeoutError {
  return new TimeoutError(`no answer from ${origin} within ${timeoutMs / 1000} s`, [
    'Wait longer:   --timeout 2m',
  ])
}

/** The error of an answer that did not come, or cannot be read, for a person. */
function answerFailure(error: unknown, { origin }: URL): UserError {
  if (error instanceof UserError) return error
  return error instanceof AnswerError
    ? new TransportError(`the answer of ${origin} cannot be read: ${error.message} (EBADMSG)`, 'EBADMSG')
    : transportError(error, origin)
}
