import { hashOf, readDictionaryHeader } from '../../../protocol/http/codings.js'
import { type HeaderList, header } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import type { Ask, Asked } from '../client/ask.js'
import { type AnswerBytes, totalBytes, type Weighed } from '../client/ask.js'

/**
 * The bytes that Resource Timing counts for the headers of every answer: transferSize is the encoded size of the body plus 300
 * (W3C Resource Timing, PerformanceResourceTiming, the getter transferSize, since June 2022).
 */
const RESOURCE_TIMING_HEADERS = 300

/** The dictionary of a request, and its use in the answer (RFC 9842). */
interface UsedDictionary {
  /** SHA-256 in hexadecimal. */
  readonly sha256: string
  readonly bytes: number
  /** True when the body names this dictionary, false when it names another. Absent for a body without a dictionary. */
  readonly named?: boolean
  /** Bytes of the header that names the dictionary. Absent for a body without a dictionary. */
  readonly headerBytes?: number
}

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
  /** Value of Use-As-Dictionary (RFC 9842 §2.1). Absent when the answer has none. */
  readonly useAsDictionary?: string
  /** Present when the request offered a dictionary. */
  readonly dictionary?: UsedDictionary
  readonly bytes: AnswerBytes
  // The next three members are those of Resource Timing.
  /** `encodedBodySize` and 300, whatever the headers are: browsers do not reveal the size of headers. */
  readonly transferSize: number
  readonly encodedBodySize: number
  /** Absent for a coding that this Node.js cannot decode. */
  readonly decodedBodySize?: number
  /** Body bytes as they travelled: with content coding, without headers and chunk framing. */
  readonly wireBytes: number
  /** All bytes of this answer: head, body, framing and TLS. */
  readonly totalBytes: number
  /** All bytes of the raw answer. Present when this one is coded. */
  readonly rawTotalBytes?: number
  /** The redirects before this answer. Absent when there were none. */
  readonly redirects?: NonNullable<Weighed['redirects']>
  /** Milliseconds. */
  readonly ms: number
}

function usedDictionary(dictionary: Uint8Array, coding: string | null, body: Uint8Array): UsedDictionary {
  const hash = hashOf(dictionary)
  const named = coding === 'dcb' || coding === 'dcz' ? readDictionaryHeader(coding, body) : undefined
  return defined({
    sha256: hash.toString('hex'),
    bytes: dictionary.length,
    named: named?.hash.equals(hash),
    headerBytes: named?.length,
  })
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
  const { method, offer, dictionary } = asked
  const { bytes, body, ...came } = await ask(url, asked)
  const raw =
    came.contentEncoding === null || method === 'HEAD'
      ? undefined
      : await ask(url, { ...asked, offer: 'identity' })
  const answer = defined({
    method,
    url,
    httpVersion: came.httpVersion,
    offer,
    status: came.status,
    contentEncoding: came.contentEncoding,
    vary: came.vary,
    headers: came.headers,
    useAsDictionary: header(came, 'use-as-dictionary'),
    dictionary: dictionary && usedDictionary(dictionary, came.contentEncoding, body),
    bytes,
    transferSize: bytes.coded + RESOURCE_TIMING_HEADERS,
    encodedBodySize: bytes.coded,
    decodedBodySize: bytes.decoded,
    wireBytes: bytes.coded,
    totalBytes: totalBytes(bytes),
    rawTotalBytes: raw?.contentEncoding === null ? totalBytes(raw.bytes) : undefined,
    redirects: came.redirects,
    ms: came.ms,
  })
  return { answer, body }
}
