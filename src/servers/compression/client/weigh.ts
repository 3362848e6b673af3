import { CodingError, type Decoder, decodeBody } from '../../../client/content-coding.js'
import { TransportError } from '../../../protocol/errors.js'
import { decodeWithDictionary, dictionaryCodings } from '../../../protocol/http/codings.js'
import { type HeaderList, header } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import { type MeasureOptions, measure } from './measure.js'
import type { MeasuredRequest } from './request-bytes.js'

/** The bytes of an answer, part by part. */
export interface AnswerBytes {
  /** Decoded body bytes. Absent for a coding that this Node.js cannot decode. */
  readonly decoded?: number
  /** Body bytes as they travelled. */
  readonly coded: number
  /** Chunk sizes, their line ends, and trailers. */
  readonly framing: number
  /** Status line and header fields. */
  readonly head: number
  /** Bytes that TLS added to the answer. Absent in plain HTTP, and when the records do not show them. */
  readonly tls?: number
  /** Bytes of the TLS handshake and of session tickets, which each connection has once. Absent in plain HTTP. */
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
  /** The decoded body. Absent for a coding that this Node.js cannot decode, and for a body that contradicts its coding. */
  readonly content?: Uint8Array
  /** The error of a body that contradicts its Content-Encoding, or is too large when decoded. Absent for every other body. */
  readonly invalid?: TransportError
  readonly bytes: AnswerBytes
  readonly ms: number
  /** The redirects before this answer. Absent when there were none. */
  readonly redirects?: readonly { readonly status: number; readonly location: string }[]
}

/** Most body bytes after decoding. */
const MAX_DECODED = 64 * 1024 * 1024

/** Returns all bytes of an answer: head, body as it travelled, framing and TLS, without the handshake. */
export function totalBytes({ coded, framing, head, tls = 0 }: AnswerBytes): number {
  return coded + framing + head + tls
}

/** The settings of a request, with the dictionary that answers in dcb and dcz may use. */
interface WeighOptions extends MeasureOptions {
  readonly dictionary?: Uint8Array | undefined
}

/** Returns the decoders of the codings with this dictionary that this Node.js has. */
async function dictionaryDecoders(dictionary: Uint8Array): Promise<ReadonlyMap<string, Decoder>> {
  const codings = await dictionaryCodings()
  return new Map(
    codings.map(coding => [
      coding,
      (body, options) => decodeWithDictionary(coding, body, { dictionary, ...options }),
    ]),
  )
}

/**
 * Sends a request and counts the bytes of each part of the answer.
 * @throws UsageError for a request that HTTP cannot carry, TransportError, TimeoutError
 */
export async function weigh(
  request: MeasuredRequest,
  { dictionary, ...options }: WeighOptions,
): Promise<Weighed> {
  const more = dictionary === undefined ? undefined : await dictionaryDecoders(dictionary)
  const answer = await measure(request, options)
  const { content, invalid } = decoded(answer.headers, answer.body, request.url, more)
  const { status, httpVersion, headers, body, ms, tls } = answer
  const { body: coded, framing, head } = answer.bytes
  return defined({
    status,
    httpVersion,
    contentEncoding: header(answer, 'content-encoding') ?? null,
    vary: header(answer, 'vary') ?? null,
    headers,
    body,
    content,
    invalid,
    bytes: defined({
      decoded: content?.length,
      coded,
      framing,
      head,
      tls: tls?.overhead,
      handshake: tls?.handshake,
    }),
    ms,
  })
}

function decoded(
  headers: HeaderList,
  body: Uint8Array,
  url: string,
  more: ReadonlyMap<string, Decoder> | undefined,
): Pick<Weighed, 'content' | 'invalid'> {
  try {
    return { content: decodeBody(headers, body, MAX_DECODED, more) }
  } catch (error) {
    if (!(error instanceof CodingError)) throw error
    if (error.code === 'ENOTSUP') return {}
    const message = `the body of ${new URL(url).origin} ${error.message} (${error.code})`
    return { invalid: new TransportError(message, error.code) }
  }
}
