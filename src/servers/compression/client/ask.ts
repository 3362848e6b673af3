import { CodingError, type Decoder, decodeBody } from '../../../client/content-coding.js'
import { TransportError, UsageError } from '../../../protocol/errors.js'
import { isUrl } from '../../../protocol/http/address.js'
import {
  availableDictionary,
  decodeWithDictionary,
  dictionaryCodings,
  hashOf,
} from '../../../protocol/http/codings.js'
import { type Header, type HeaderList, header } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import { isField, type MeasuredRequest, type MeasureOptions, measure } from './measure.js'

/** One request of a study. */
export interface Asked {
  readonly method?: 'GET' | 'HEAD'
  /** Value of Accept-Encoding. null sends no such field. */
  readonly offer: string | null
  readonly headers?: HeaderList
  readonly httpVersion?: '1.0' | '1.1' | undefined
  /** A dictionary that the client has. Its hash is sent in Available-Dictionary (RFC 9842 §2.2). */
  readonly dictionary?: Uint8Array | undefined
  /** True to return an answer whose body contradicts its Content-Encoding, with the error in `invalid`. */
  readonly lenient?: true
}

/** Sends one request. @throws TransportError, also for a body that contradicts its Content-Encoding; TimeoutError */
export type Ask = (url: string, asked: Asked) => Promise<Weighed>

/** The options of all requests of a study. */
export interface AskOptions extends Pick<MeasureOptions, 'caPem' | 'timeoutMs'> {
  /** Fields of every request. Credentials among them go to the origin of the first URL alone. */
  readonly headers?: HeaderList
  /** True to follow redirects. */
  readonly follow?: boolean
}

/** Most redirects that are followed. */
const MAX_REDIRECTS = 10

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Fields with credentials, which another origin must not get. */
const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** Fields that describe a body, which these requests do not have, and fields of the connection. */
const FRAMING = new Set(['content-length', 'transfer-encoding'])

/** Checks an offer. @throws UsageError for a value with characters that a header cannot hold */
export function checkOffer(offer: string | undefined): void {
  if (offer !== undefined && !isField('Accept-Encoding', offer)) {
    throw new UsageError('--offer has characters that a header cannot hold (RFC 9110 §5.5)')
  }
}

/** Reads fields as curl writes them: `Name: value`. @throws UsageError */
export function readFields(fields: readonly string[]): HeaderList {
  return fields.map(field => {
    const mark = field.indexOf(':')
    const [name, value] = [field.slice(0, mark), field.slice(mark + 1).trim()]
    if (mark <= 0 || !isField(name, value)) {
      throw new UsageError('-H takes a header field that HTTP allows (RFC 9110 §5.5)', [
        "Write it as -H 'Name: value'",
      ])
    }
    if (FRAMING.has(name.toLowerCase())) {
      throw new UsageError(`-H ${name} describes a body, and this request has none`)
    }
    return [name, value]
  })
}

/** Returns the address that an answer redirects to. Returns undefined for every other answer. */
function redirectOf(url: string, { status, headers }: Weighed): string | undefined {
  const location = header({ headers }, 'location')
  if (!REDIRECTS.has(status) || location === undefined || !isUrl(location, url)) return undefined
  const target = new URL(location, url)
  return /^https?:$/.test(target.protocol) ? target.href : undefined
}

/** Makes the function that sends the requests of a study. */
export function createAsk({ headers: own = [], follow = false, ...reach }: AskOptions): Ask {
  return async (url, { method = 'GET', offer, headers = [], httpVersion, dictionary, lenient = false }) => {
    const offered: Header[] = offer === null ? [] : [['Accept-Encoding', offer]]
    if (dictionary) offered.push(['Available-Dictionary', availableDictionary(hashOf(dictionary))])
    const open = own.filter(([name]) => !CREDENTIALS.has(name.toLowerCase()))
    const redirects: { status: number; location: string }[] = []
    for (let here = url; ; ) {
      const fields = new URL(here).origin === new URL(url).origin ? own : open
      const request = { method, url: here, httpVersion, headers: [...offered, ...fields, ...headers] }
      const answer = await weigh(request, { ...reach, dictionary })
      if (answer.invalid !== undefined && !lenient) throw answer.invalid
      const next = follow ? redirectOf(here, answer) : undefined
      if (next === undefined) return redirects.length === 0 ? answer : { ...answer, redirects }
      redirects.push({ status: answer.status, location: next })
      if (redirects.length > MAX_REDIRECTS) {
        throw new TransportError(
          `${new URL(url).origin} redirects more than ${MAX_REDIRECTS} times (ELOOP)`,
          'ELOOP',
        )
      }
      here = next
    }
  }
}

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
