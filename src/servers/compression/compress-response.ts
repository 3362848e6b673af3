import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import {
  type DictionaryCoding,
  dictionaryCodings,
  encodeWithDictionary,
  encodeZstd,
  hasZstd,
  readAvailableDictionary,
} from '../../protocol/http/codings.js'
import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  headerValues,
  mediaType,
} from '../../protocol/http/message.js'
import { type Coding, negotiate, parseAcceptEncoding } from '../../protocol/http/negotiation.js'

/** Encodes an answer in the coding that its request prefers. Returns the same object when nothing changes. */
export type CompressResponse = (request: HttpRequest, answer: HttpResponse) => Promise<HttpResponse>

/** Text types, and types whose content is text, such as `image/svg+xml` and `application/jwk-set+json`. */
const TEXT_TYPE = /^text\/(?!event-stream$)|^application\/(?:json|javascript|xml|wasm|yaml)$|\+(?:json|xml)$/

/** True for media types, in lower case and without parameters, whose bodies are worth coding. */
export function compressible(type: string): boolean {
  return TEXT_TYPE.test(type)
}

/** 204 and 304 have no body. 206 is a range of bytes of the stored form, which a coding would change (RFC 9110 §14.2). */
const UNCODED_STATUS = new Set([204, 206, 304])

/** True for an answer that may be encoded for some client (RFC 9110 §7.7, §8.4). */
function eligible(answer: HttpResponse): boolean {
  return (
    !UNCODED_STATUS.has(answer.status) &&
    compressible(mediaType(answer)) &&
    header(answer, 'content-encoding') === undefined &&
    !/(?:^|,)\s*no-transform\s*(?:,|$)/i.test(headerValues(answer, 'cache-control').join(','))
  )
}

/** Returns the names in Vary, in lower case. */
function variedBy(headers: HeaderList): string[] {
  return headerValues({ headers }, 'vary')
    .flatMap(value => value.toLowerCase().split(','))
    .map(name => name.trim())
}

/** Adds Vary, to the raw answer as well: caches must keep the variants apart (§12.5.5). */
function varied(headers: HeaderList): HeaderList {
  const listed = variedBy(headers)
  return listed.includes('*') || listed.includes('accept-encoding')
    ? headers
    : [...headers, ['Vary', 'Accept-Encoding']]
}

/** Makes a strong ETag weak, because a strong one identifies the bytes before encoding (§8.8.1). */
function weakened(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) =>
    name.toLowerCase() === 'etag' && value.startsWith('"') ? [name, `W/${value}`] : [name, value],
  )
}

/** Returns a 304 with the Vary and the ETag of the 200 (RFC 9110 §15.4.5). */
function notModified(answer: HttpResponse, coding: Coding | 'identity'): HttpResponse {
  const headers = varied(answer.headers)
  return { ...answer, headers: coding === 'identity' ? headers : weakened(headers) }
}

/** One body in each coding that was requested so far. */
type Variants = Map<Coding, Promise<Uint8Array>>

/** Returns the dictionary with a SHA-256 hash. Returns undefined for a hash that the server does not know. */
type FindDictionary = (hash: Buffer) => Uint8Array | undefined

/** A dictionary that the client has, and the coding that the client prefers with it. */
interface WithDictionary {
  readonly dictionary: Uint8Array
  readonly coding: DictionaryCoding
}

/**
 * True when the page that sent the request may read the answer. The length of an answer with a dictionary reveals more than
 * other lengths (RFC 9842 §9.3.3).
 */
function readable(request: HttpRequest, answer: HttpResponse): boolean {
  const site = header(request, 'sec-fetch-site')
  const mode = header(request, 'sec-fetch-mode')
  if (site === undefined || site === 'same-origin' || mode === undefined) return true
  if (mode === 'navigate' || mode === 'same-origin') return true
  const allowed = header(answer, 'access-control-allow-origin')
  const origin = header(request, 'origin')
  return mode === 'cors' && allowed !== undefined && origin !== undefined && ['*', origin].includes(allowed)
}

/**
 * Chooses a coding with a dictionary (RFC 9842 §6), when the site marked its answer with `Vary: Available-Dictionary`, the client
 * has a dictionary that is known here, and it names the coding: `*` stands for no coding that needs more than the body.
 */
async function withDictionary(
  request: HttpRequest,
  answer: HttpResponse,
  find: FindDictionary,
): Promise<WithDictionary | undefined> {
  const hash = readAvailableDictionary(headerValues(request, 'available-dictionary'))
  if (hash === undefined || answer.body.length === 0) return undefined
  if (!variedBy(answer.headers).includes('available-dictionary')) return undefined
  if (!eligible(answer) || !readable(request, answer)) return undefined
  const offer = parseAcceptEncoding(headerValues(request, 'accept-encoding')) ?? []
  const named = (await dictionaryCodings()).filter(each => offer.some(({ coding }) => coding === each))
  if (named.length === 0) return undefined
  const { coding } = negotiate(offer, [...named, ...CODINGS])
  if (coding !== 'dcb' && coding !== 'dcz') return undefined
  const dictionary = find(hash)
  return dictionary && { dictionary, coding }
}

/**
 * Makes the encoder of one server. It encodes each body object once: bodies that a site keeps, such as its keys or a
 * payload, are found in a weak map. It also returns the same encoded answer for the same answer object.
 * Bodies that are coded with a dictionary are not kept: their number has no bound.
 * @param find the dictionaries of the server; without it no coding uses one
 */
export function createCompressResponse(find?: FindDictionary): CompressResponse {
  const bodies = new WeakMap<Uint8Array, Variants>()
  const answers = new WeakMap<HttpResponse, Map<Coding, HttpResponse>>()

  function variantsOf(body: Uint8Array): Variants {
    let variants = bodies.get(body)
    if (variants === undefined) {
      variants = new Map()
      bodies.set(body, variants)
    }
    return variants
  }

  function keep(answer: HttpResponse, coding: Coding, coded: HttpResponse): void {
    const kept = answers.get(answer)
    if (kept) kept.set(coding, coded)
    else answers.set(answer, new Map([[coding, coded]]))
  }

  return async (request, answer) => {
    if (find !== undefined && header(request, 'available-dictionary') !== undefined) {
      const chosen = await withDictionary(request, answer, find)
      if (chosen !== undefined) {
        const { coding, dictionary } = chosen
        return {
          ...answer,
          headers: [...weakened(varied(answer.headers)), ['Content-Encoding', coding]],
          body: await encodeWithDictionary(coding, answer.body, dictionary),
        }
      }
    }
    const { coding } = negotiate(parseAcceptEncoding(headerValues(request, 'accept-encoding')), CODINGS)
    const known = coding === 'identity' ? undefined : answers.get(answer)?.get(coding)
    if (known !== undefined) return known
    if (answer.status === 304) return notModified(answer, coding)
    if (!eligible(answer)) return answer
    const headers = varied(answer.headers)
    if (coding === 'identity' || answer.body.length === 0) return { ...answer, headers }
    const variants = variantsOf(answer.body)
    const before = variants.get(coding)
    const body = before ?? encode(coding, answer.body)
    if (before === undefined) variants.set(coding, body)
    const coded: HttpResponse = {
      ...answer,
      headers: [...weakened(headers), ['Content-Encoding', coding]],
      body: await body,
    }
    // Most answers serve one request, so we keep an encoded answer only when its body comes a second time.
    if (before !== undefined) keep(answer, coding, coded)
    return coded
  }
}

/** The codings that this server can make, the preferred one first. zstd is one of them where this Node.js has it. */
export const CODINGS: readonly Coding[] = hasZstd ? ['br', 'zstd', 'gzip'] : ['br', 'gzip']

/** The level of zstd, its default. */
const ZSTD_LEVEL = 3

/**
 * Encodes `body` at the fastest level with one write, a flush and the end, as a server does that writes a response in one
 * piece. Because of the flush, 2,048 equal letters become 48 bytes of gzip, and 204,800 become 935. The synchronous
 * functions of zlib cannot flush before the end.
 */
export function encode(coding: Coding, body: Uint8Array): Promise<Uint8Array> {
  if (coding === 'zstd') return encodeZstd(body, ZSTD_LEVEL)
  const stream =
    coding === 'gzip'
      ? createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH })
      : createBrotliCompress({
          flush: constants.BROTLI_OPERATION_FLUSH,
          params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
        })
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.once('error', reject)
    stream.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    stream.end(body)
  })
}
