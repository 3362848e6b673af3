import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import {
  type Header,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  headerValues,
  mediaType,
} from '../../http/message.js'
import { codingsOf, decodedBody, UpstreamError } from './coded-body.js'
import type { GzipSettings, ProxySettings } from './modes.js'
import { takesGzip } from './takes-gzip.js'

const gzip = promisify(gzipCallback)

/** The proxy's answer, and its action on the body. */
export interface Proxied {
  readonly answer: HttpResponse
  readonly did: 'passed' | 'compressed' | 'decompressed'
  /** One sentence without a full stop. */
  readonly why: string
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
  { acceptEncoding }: ProxySettings,
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
function ineligible(answer: HttpResponse, { minLength, types }: GzipSettings): string | undefined {
  if (!COMPRESSED_STATUS.has(answer.status))
    return `nginx does not compress an answer with status ${answer.status}`
  const coded = header(answer, 'content-encoding')
  if (coded !== undefined) return `it comes coded as ${coded}`
  const length = header(answer, 'content-length')
  if (length !== undefined && Number(length) < minLength) {
    return `its ${length} bytes are fewer than gzip_min_length ${minLength}`
  }
  const type = mediaType(answer)
  if (type !== 'text/html' && !types.includes(type)) return `${type || 'no type'} is not in gzip_types`
  return undefined
}

const VARY = ['Vary', 'Accept-Encoding'] as const

async function compressing(
  settings: GzipSettings,
  request: HttpRequest,
  answer: HttpResponse,
): Promise<Proxied> {
  const reason = ineligible(answer, settings)
  if (reason !== undefined) return { answer, did: 'passed', why: reason }
  const headers = settings.vary ? [VARY, ...answer.headers] : answer.headers
  const verdict = takesGzip(request, settings.proxied)
  if (!verdict.takes) return { answer: { ...answer, headers }, did: 'passed', why: verdict.why }
  return {
    answer: {
      ...answer,
      headers: [...recoded(headers), ['Content-Encoding', 'gzip']],
      body: request.method === 'HEAD' ? answer.body : await gzip(answer.body, { level: settings.level }),
    },
    did: 'compressed',
    why: 'it comes raw, and the client takes gzip',
  }
}

/**
 * Decodes a gzip answer for a client that does not accept gzip.
 * @param content the decoded body; undefined for an answer without a whole body
 */
function decompressing(
  { gzip: own }: ProxySettings,
  request: HttpRequest,
  answer: HttpResponse,
  content: Uint8Array | undefined,
): Proxied {
  const verdict = takesGzip(request, own?.proxied ?? false)
  if (verdict.takes) return { answer, did: 'passed', why: 'it comes as gzip, and the client takes gzip' }
  if (answer.status === 206) throw new UpstreamError('a part of a gzip body cannot be decoded')
  return {
    answer: {
      ...answer,
      headers: without(recoded(answer.headers), 'content-encoding'),
      body: content ?? answer.body,
    },
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

/** True for an answer with a whole body, which may be empty (RFC 9110 §6.4.1, §15.3.7). */
const hasBody = ({ method }: HttpRequest, { status }: HttpResponse): boolean =>
  method !== 'HEAD' && status !== 204 && status !== 304 && status !== 206

/**
 * Makes the proxy's answer to `request` from the answer of the upstream. Status, coding, coded bytes and Vary are those
 * of nginx. The listener adds the framing. Unlike nginx, the proxy decodes every body with a known coding, and refuses a
 * body that contradicts its coding.
 * @throws UpstreamError for a body that contradicts its Content-Encoding, or is too large when decoded
 */
export async function proxyAnswer(
  settings: ProxySettings,
  request: HttpRequest,
  upstream: HttpResponse,
): Promise<Proxied> {
  checkHeaders(upstream.headers)
  const answer = { ...upstream, headers: passedOn(upstream.headers) }
  const content = hasBody(request, answer) ? await decodedBody(answer) : undefined
  const codings = codingsOf(answer)
  if (settings.gunzip && codings.join() === 'gzip') return decompressing(settings, request, answer, content)
  if (settings.gzip) return compressing(settings.gzip, request, answer)
  const why = codings.length === 0 ? 'it comes raw' : `it comes as ${codings.join(', ')}`
  return { answer, did: 'passed', why }
}
