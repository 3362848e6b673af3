import type { Transform } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import {
  type Header,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  headerValues,
} from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import type { GzipSettings, ProxySettings } from './modes.js'

/** The parts of an answer before its body. */
export type Head = Pick<HttpResponse, 'status' | 'headers'>

/** The headers of the proxy's answer, and its action on the body. */
export interface Plan {
  readonly headers: HeaderList
  readonly did: 'passed' | 'compressed' | 'decompressed'
  /** One sentence without a full stop. */
  readonly why: string
  /** Level of gzip. Present when the proxy compresses. */
  readonly level?: number
}

/** Headers that concern one connection. A proxy does not forward them (RFC 9110 §7.6.1). */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
])

function without(headers: HeaderList, ...names: readonly string[]): HeaderList {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()))
}

/** Returns the headers to forward: without those of the connection and those that `Connection` names (RFC 9110 §7.6.1). */
function passedOn(headers: HeaderList): HeaderList {
  const named = headerValues({ headers }, 'connection')
    .flatMap(value => value.toLowerCase().split(','))
    .map(name => name.trim())
  return headers.filter(([name]) => !hopByHop.has(name.toLowerCase()) && !named.includes(name.toLowerCase()))
}

/**
 * Returns the request that the proxy sends to its upstream.
 * @param upstream base URL, no trailing slash
 * @param target path and query of the request, byte for byte
 */
export function upstreamRequest(
  { acceptEncoding, upstreamHttp }: ProxySettings,
  request: HttpRequest,
  upstream: string,
  target: string,
): HttpRequest {
  const headers = without(passedOn(request.headers), 'host', 'content-length', 'expect')
  return {
    method: request.method,
    url: upstream + target,
    headers:
      acceptEncoding === 'pass'
        ? headers
        : [
            ...without(headers, 'accept-encoding'),
            ...(acceptEncoding === '' ? [] : [['Accept-Encoding', acceptEncoding] as const]),
          ],
    body: request.body,
    ...(upstreamHttp !== undefined && { httpVersion: upstreamHttp }),
  }
}

/**
 * Changes the headers of an answer whose coding changes. Its Content-Length and its byte ranges no longer apply, and its
 * ETag becomes weak (RFC 9110 §8.8.1). A malformed ETag is removed, as in nginx.
 */
function recoded(headers: HeaderList): HeaderList {
  return without(headers, 'content-length', 'accept-ranges').flatMap(([name, value]): Header[] => {
    if (name.toLowerCase() !== 'etag' || /^W\//.test(value)) return [[name, value]]
    return value.startsWith('"') && value.length > 1 ? [[name, `W/${value}`]] : []
  })
}

/** The statuses that nginx compresses. */
const COMPRESSED_STATUS = new Set([200, 403, 404])

/** Returns why the proxy does not compress this answer for any client. Undefined when it may. */
function ineligible(answer: Head, { minLength, types }: GzipSettings): string | undefined {
  if (!COMPRESSED_STATUS.has(answer.status))
    return `nginx does not compress an answer with status ${answer.status}`
  const coded = header(answer, 'content-encoding')
  if (coded !== undefined) return `it comes coded as ${coded}`
  const length = header(answer, 'content-length')
  if (length !== undefined && Number(length) < minLength) {
    return `its ${length} bytes are fewer than gzip_min_length ${minLength}`
  }
  // nginx takes the charset off, and compares the rest whole: another parameter makes another type.
  const type = (header(answer, 'content-type') ?? '')
    .replace(/;\s*charset=.*$/is, '')
    .trim()
    .toLowerCase()
  if (type !== 'text/html' && !types.includes(type)) return `${type || 'no type'} is not in gzip_types`
  return undefined
}

const VARY = ['Vary', 'Accept-Encoding'] as const

function compressing(settings: GzipSettings, request: HttpRequest, answer: Head): Plan {
  const { headers } = answer
  const reason = ineligible(answer, settings)
  if (reason !== undefined) return { headers, did: 'passed', why: reason }
  const varied = settings.vary ? [VARY, ...headers] : headers
  const verdict = takesGzip(request, settings.proxied, settings.httpVersion)
  if (!verdict.takes) return { headers: varied, did: 'passed', why: verdict.why }
  return {
    headers: [...recoded(varied), ['Content-Encoding', 'gzip']],
    did: 'compressed',
    why: 'it comes raw, and the client takes gzip',
    level: settings.level,
  }
}

/** Decodes a gzip answer for a client that does not accept gzip. */
function decompressing({ gzip: own }: ProxySettings, request: HttpRequest, answer: Head): Plan {
  const { headers, status } = answer
  const verdict = takesGzip(request, own?.proxied ?? false, own?.httpVersion)
  if (verdict.takes) return { headers, did: 'passed', why: 'it comes as gzip, and the client takes gzip' }
  if (status === 206) throw new UpstreamError('a part of a gzip body cannot be decoded')
  return {
    headers: without(recoded(headers), 'content-encoding'),
    did: 'decompressed',
    why: `it comes as gzip, and the client does not take it: ${verdict.why}`,
  }
}

/** The characters of the name and the value of a header field (RFC 9110 §5.1, §5.5). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

function checkHeaders(headers: HeaderList): void {
  const bad = headers.find(([name, value]) => !NAME.test(name) || !VALUE.test(value))
  if (bad)
    throw new UpstreamError(
      'the upstream sent a header field with characters that HTTP forbids (RFC 9110 §5.5)',
    )
}

/** True for an answer with a body, which may be empty (RFC 9110 §6.4.1). */
const hasBody = ({ method }: HttpRequest, { status }: Head): boolean =>
  method !== 'HEAD' && status !== 204 && status !== 304

/**
 * Plans the answer of the proxy from the headers of the upstream's answer. Status, coding, coded bytes and Vary are those of
 * nginx. The listener adds the framing. Like nginx, the proxy decodes a body only to take its coding off.
 * @throws UpstreamError for header fields that HTTP forbids, and for a part of a body that would have to be decoded
 */
export function planAnswer(settings: ProxySettings, request: HttpRequest, upstream: Head): Plan {
  checkHeaders(upstream.headers)
  const answer = { status: upstream.status, headers: passedOn(upstream.headers) }
  const codings = codingsOf(answer)
  if (settings.gunzip && codings.join() === 'gzip') return decompressing(settings, request, answer)
  if (settings.gzip) return compressing(settings.gzip, request, answer)
  const why = codings.length === 0 ? 'it comes raw' : `it comes as ${codings.join(', ')}`
  return { headers: answer.headers, did: 'passed', why }
}

/** Returns the stream that changes the body as planned. Undefined for a body that passes unchanged, and for an answer without one. */
export function recoder(plan: Plan, request: HttpRequest, upstream: Head): Transform | undefined {
  if (plan.did === 'passed' || !hasBody(request, upstream)) return undefined
  return plan.did === 'compressed' ? createGzip(defined({ level: plan.level })) : createGunzip()
}

/** An answer of the upstream that the proxy cannot pass on. */
export class UpstreamError extends Error {
  override name = 'UpstreamError'
}

/** Returns the codings of an answer, in lower case and in the order in which they were applied. */
export function codingsOf(answer: { readonly headers: HeaderList }): string[] {
  return headerValues(answer, 'content-encoding')
    .flatMap(value => value.split(','))
    .map(name => name.trim().toLowerCase())
    .filter(name => name !== '' && name !== 'identity')
}

/** The decision of nginx if a client accepts gzip, with the reason when it does not. */
type GzipVerdict = { readonly takes: true } | { readonly takes: false; readonly why: string }

const no = (why: string): GzipVerdict => ({ takes: false, why })

/** A weight that accepts gzip: 1, or 0 with a digit above zero among the three after the point. Ends at a comma or a space. */
const ACCEPTING_WEIGHT = /^q=(?:1(?:\.0{0,3})?|0\.(?=\d*[1-9])\d{1,3})(?=[, ]|$)/i

/**
 * Reads Accept-Encoding as nginx does: the first `gzip` at the start of a word decides, and the rest is ignored.
 */
function offersGzip(value: string): GzipVerdict {
  const word = /(?:^|[, ])gzip/i.exec(value)
  if (!word) return no('its Accept-Encoding has no word gzip; nginx reads no * and no x-gzip')
  const rest = value.slice(word.index + word[0].length)
  if (/^ *(?:$|,)/.test(rest)) return { takes: true }
  const parameter = /^ *; *(.*)$/s.exec(rest)?.[1]
  if (parameter === undefined) return no('the word in its Accept-Encoding is not gzip')
  return parameter === '' || ACCEPTING_WEIGHT.test(parameter)
    ? { takes: true }
    : no('gzip is refused, or has a weight that nginx cannot read')
}

/**
 * Decides as nginx does if a client accepts gzip. The gzip and the gunzip module of nginx share this test. Unlike RFC 9110
 * §12.5.3, it reads only the first field line, and ignores preferences and `*`. It refuses gzip for HTTP/1.0 and behind
 * another proxy (Via).
 * @param proxied `gzip_proxied any`: accepts requests with a Via header
 * @param oldest `gzip_http_version`
 */
export function takesGzip(
  request: HttpRequest,
  proxied: boolean,
  oldest: '1.0' | '1.1' = '1.1',
): GzipVerdict {
  const first = headerValues(request, 'accept-encoding')[0]
  if (first === undefined) return no('it offers nothing')
  const offered = offersGzip(first)
  if (!offered.takes) return offered
  if (oldest === '1.1' && request.httpVersion === '1.0')
    return no('it speaks HTTP/1.0 (gzip_http_version 1.1)')
  if (!proxied && headerValues(request, 'via').length > 0) {
    return no('its request came through another proxy (Via; gzip_proxied off)')
  }
  return { takes: true }
}
