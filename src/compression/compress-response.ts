import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  headerValues,
  mediaType,
} from '../http/message.js'
import { type Coding, type Negotiated, negotiate, parseAcceptEncoding } from '../http/negotiation.js'
import { CODINGS, encode } from './codings.js'

/** Codes an answer as its request asks for. */
export type CompressResponse = (request: HttpRequest, answer: HttpResponse) => Promise<HttpResponse>

/** Types worth coding: text, and what is text by another name (`image/svg+xml`, `application/jwk-set+json`). */
const TEXT_TYPE = /^text\/(?!event-stream$)|^application\/(?:json|javascript|xml|wasm|yaml)$|\+(?:json|xml)$/

/** True for media types, in lower case and without parameters, whose bodies are worth coding. */
export function compressible(type: string): boolean {
  return TEXT_TYPE.test(type)
}

/** Statuses without a body, and a part of a representation, whose bytes are counted before coding. */
const UNCODED_STATUS = new Set([204, 206, 304])

/** True for an answer that may be coded at all, regardless of the client (RFC 9110 §7.7, §8.4). */
function eligible(answer: HttpResponse): boolean {
  return (
    !UNCODED_STATUS.has(answer.status) &&
    compressible(mediaType(answer)) &&
    header(answer, 'content-encoding') === undefined &&
    !/(?:^|,)\s*no-transform\s*(?:,|$)/i.test(headerValues(answer, 'cache-control').join(','))
  )
}

/** Caches must keep the variants apart, the raw one too (§12.5.5). */
function varied(headers: HeaderList): HeaderList {
  const listed = headers
    .filter(([name]) => name.toLowerCase() === 'vary')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map(name => name.trim())
  return listed.includes('*') || listed.includes('accept-encoding')
    ? headers
    : [...headers, ['Vary', 'Accept-Encoding']]
}

/** A strong validator names exact bytes, so the coded ones need another (§8.8.1). */
function weakened(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) =>
    name.toLowerCase() === 'etag' && value.startsWith('"') ? [name, `W/${value}`] : [name, value],
  )
}

/** Most offers whose outcome is kept, and the longest of them. */
const MAX_OFFERS = 200
const MAX_OFFER_LENGTH = 200

/** Chooses the coding for the values of Accept-Encoding. Clients offer the same again and again, so the outcome is kept. */
function createChooser(): (lines: readonly string[]) => Negotiated['coding'] {
  const kept = new Map<string, Negotiated['coding']>()
  return lines => {
    const [line] = lines
    if (line === undefined || lines.length > 1 || line.length > MAX_OFFER_LENGTH) return choose(lines)
    let coding = kept.get(line)
    if (coding === undefined) {
      coding = choose(lines)
      if (kept.size >= MAX_OFFERS) kept.clear()
      kept.set(line, coding)
    }
    return coding
  }
}

const choose = (lines: readonly string[]) => negotiate(parseAcceptEncoding(lines), CODINGS).coding

/** A body in the codings that were asked for. */
type Variants = Map<Coding, Promise<Uint8Array>>

/**
 * Makes the coder of one server. It codes a body once as long as it is the same object: a body that a site keeps (its
 * keys, a payload) costs a look-up, and a temporary body is forgotten with its coding. When the whole answer is the
 * same object, the coded answer is too.
 */
export function createCompressResponse(): CompressResponse {
  const codingFor = createChooser()
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
    const coding = codingFor(headerValues(request, 'accept-encoding'))
    const known = coding === 'identity' ? undefined : answers.get(answer)?.get(coding)
    if (known !== undefined) return known
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
    // Only for a body that was here before: most answers are made for one request.
    if (before !== undefined) keep(answer, coding, coded)
    return coded
  }
}
