import { CodingError, decodeBody } from '../../client/content-coding.js'
import { TransportError } from '../../errors.js'
import { type HeaderList, header } from '../../http/message.js'
import { type MeasuredRequest, type MeasureOptions, measure } from './measure.js'

/** Bytes of an answer, part by part. */
export interface AnswerBytes {
  /** Of the body once its coding is undone. */
  readonly decoded: number
  /** Of the body as it travelled. */
  readonly coded: number
  /** Chunk sizes, their line ends, and trailers. */
  readonly framing: number
  /** Status line and header fields. */
  readonly head: number
  /** Bytes that TLS added to the answer; absent in plain HTTP. */
  readonly tls?: number
  /** Bytes of the handshake, once a connection. */
  readonly handshake?: { readonly sent: number; readonly received: number }
}

/** An answer, weighed. */
export interface Weighed {
  readonly status: number
  readonly httpVersion: string
  readonly contentEncoding: string | null
  readonly vary: string | null
  readonly headers: HeaderList
  /** As it travelled. */
  readonly body: Uint8Array
  /** Its coding undone. */
  readonly content: Uint8Array
  readonly bytes: AnswerBytes
  readonly ms: number
}

/** Most bytes of a body after decoding. */
const MAX_DECODED = 64 * 1024 * 1024

/** All that travelled for an answer: head, body, framing, TLS; not what it took to connect. */
export function wireBytes({ coded, framing, head, tls = 0 }: AnswerBytes): number {
  return coded + framing + head + tls
}

/**
 * Asks, and says where every byte of the answer went.
 * @throws TransportError, TimeoutError; a body that is not what its Content-Encoding says is a TransportError
 */
export async function weigh(request: MeasuredRequest, options: MeasureOptions): Promise<Weighed> {
  const answer = await measure(request, options)
  const content = decoded(answer.headers, answer.body, request.url)
  const all = (name: string) => header(answer, name) ?? null
  return {
    ...{ status: answer.status, httpVersion: answer.httpVersion, headers: answer.headers },
    ...{ contentEncoding: all('content-encoding'), vary: all('vary') },
    ...{ body: answer.body, content, ms: answer.ms },
    bytes: {
      ...{ decoded: content.length, coded: answer.bytes.body },
      ...{ framing: answer.bytes.framing, head: answer.bytes.head },
      ...(answer.tls && { tls: answer.tls.overhead, handshake: answer.tls.handshake }),
    },
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
