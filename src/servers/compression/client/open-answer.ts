import net from 'node:net'
import { Readable } from 'node:stream'
import { answerFailure, lateError } from './answer-failure.js'
import { createAnswerReader, type Head } from './answer-reader.js'
import { openConnection } from './connection.js'
import type { MeasureOptions } from './measure.js'
import { type MeasuredRequest, requestBytes } from './request-bytes.js'

/** An answer whose body is read while it comes. */
export interface OpenedAnswer extends Head {
  /** Without its transfer coding, still in its content coding. Destroying it closes the connection. */
  readonly body: Readable
  /** Returns the body bytes that came so far. */
  readonly received: () => number
}

const DEFAULT_TIMEOUT = 30_000

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
