import net from 'node:net'
import type { Duplex } from 'node:stream'
import { answerFailure, lateError } from './answer-failure.js'
import { createAnswerReader, type WireAnswer } from './answer-reader.js'
import { openConnection, type TlsBytes } from './connection.js'
import { type MeasuredRequest, requestBytes } from './request-bytes.js'

/** An answer, and all bytes that travelled for it. */
export interface Measured extends WireAnswer {
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
