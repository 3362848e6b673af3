import type { HeaderList } from '../../http/message.js'
import type { Ask, Asked } from '../client/ask.js'
import { type AnswerBytes, wireBytes } from '../client/weigh.js'

/** One answer and the parts of its bytes. */
export interface MeasuredAnswer {
  readonly method: string
  readonly url: string
  readonly httpVersion: string
  /** Value of Accept-Encoding; null for none. */
  readonly offer: string | null
  readonly status: number
  readonly contentEncoding: string | null
  readonly vary: string | null
  readonly headers: HeaderList
  readonly bytes: AnswerBytes
  // The next three members have the names of Resource Timing.
  readonly transferSize: number
  readonly encodedBodySize: number
  readonly decodedBodySize: number
  /** Wire bytes of this answer: head, body, framing and TLS. */
  readonly wireBytes: number
  /** Wire bytes of the raw answer. Present when this one is coded. */
  readonly rawWireBytes?: number
  /** Milliseconds. */
  readonly ms: number
}

/**
 * Sends one request. For a coded answer, a second request asks for the raw one, which shows how much the coding saves.
 * @returns the answer, and its body as it travelled
 * @throws TransportError, TimeoutError
 */
export async function measureAnswer(
  url: string,
  asked: Asked & Pick<Required<Asked>, 'method'>,
  ask: Ask,
): Promise<{ readonly answer: MeasuredAnswer; readonly body: Uint8Array }> {
  const { method, offer } = asked
  const { bytes, body, ...came } = await ask(url, asked)
  const raw =
    came.contentEncoding === null || method === 'HEAD'
      ? undefined
      : await ask(url, { ...asked, offer: 'identity' })
  const answer = {
    method,
    url,
    httpVersion: came.httpVersion,
    offer,
    status: came.status,
    contentEncoding: came.contentEncoding,
    vary: came.vary,
    headers: came.headers,
    bytes,
    transferSize: bytes.head + bytes.framing + bytes.coded,
    encodedBodySize: bytes.coded,
    decodedBodySize: bytes.decoded,
    wireBytes: wireBytes(bytes),
    ...(raw?.contentEncoding === null && { rawWireBytes: wireBytes(raw.bytes) }),
    ms: came.ms,
  }
  return { answer, body }
}
