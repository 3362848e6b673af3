import { CodingError, decodeBody } from '../../client/content-coding.js'
import { TransportError } from '../../errors.js'
import { type HeaderList, header } from '../../http/message.js'
import { type MeasuredRequest, type MeasureOptions, measure } from './measure.js'

/** The bytes of an answer, part by part. */
export interface AnswerBytes {
  /** Decoded body bytes. */
  readonly decoded: number
  /** Body bytes as they travelled. */
  readonly coded: number
  /** Chunk sizes, their line ends, and trailers. */
  readonly framing: number
  /** Status line and header fields. */
  readonly head: number
  /** Bytes that TLS added to the answer; absent in plain HTTP. */
  readonly tls?: number
  /** Bytes of the TLS handshake, which each connection makes once. Absent in plain HTTP. */
  readonly handshake?: { readonly sent: number; readonly received: number }
}

/** An answer, its decoded body, and its bytes. */
export interface Weighed {
  readonly status: number
  readonly httpVersion: string
  readonly contentEncoding: string | null
  readonly vary: string | null
  readonly headers: HeaderList
  /** The body as it travelled. */
  readonly body: Uint8Array
  /** The decoded body. */
  readonly content: Uint8Array
  readonly bytes: AnswerBytes
  readonly ms: number
}

/** Most body bytes after decoding. */
const MAX_DECODED = 64 * 1024 * 1024

/** Returns the wire bytes of an answer: head, body, framing and TLS, without the handshake. */
export function wireBytes({ coded, framing, head, tls = 0 }: AnswerBytes): number {
  return coded + framing + head + tls
}

/**
 * Sends a request and counts the bytes of each part of the answer.
 * @throws TransportError, also for a body that contradicts its Content-Encoding; TimeoutError
 */
export async function weigh(request: MeasuredRequest, options: MeasureOptions): Promise<Weighed> {
  const answer = await measure(request, options)
  const content = decoded(answer.headers, answer.body, request.url)
  const { status, httpVersion, headers, body, ms, tls } = answer
  const { body: coded, framing, head } = answer.bytes
  const bytes = { decoded: content.length, coded, framing, head }
  return {
    status,
    httpVersion,
    contentEncoding: header(answer, 'content-encoding') ?? null,
    vary: header(answer, 'vary') ?? null,
    headers,
    body,
    content,
    bytes: tls === undefined ? bytes : { ...bytes, tls: tls.overhead, handshake: tls.handshake },
    ms,
  }
}

function decoded(headers: HeaderList, body: Uint8Array, url: string): Uint8Array {
  try {
    return decodeBody(headers, body, MAX_DECODED)
  } catch (error) {
    if (!(error instanceof CodingError)) throw error
    throw new TransportError(
      `the body of ${new URL(url).origin} ${error.message} (${error.code})`,
      error.code,
    )
  }
}
