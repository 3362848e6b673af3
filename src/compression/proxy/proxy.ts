import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import {
  type Header,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
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

/** Headers of one connection, which a proxy does not pass on (RFC 9110 §7.6.1). */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
])

function without(headers: HeaderList, ...names: readonly string[]): HeaderList {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()))
}

/** The headers that pass: none of the connection's own, nor those that `Connection` names. */
function passedOn(headers: HeaderList): HeaderList {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map(name => name.trim())
  return headers.filter(([name]) => !hopByHop.has(name.toLowerCase()) && !named.includes(name.toLowerCase()))
}

/**
 * The request that the proxy sends to its upstream.
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
 * A recoded answer has other bytes: its length is unknown to begin with, parts of it have no meaning, and its validator is weak.
 * One that is no entity tag at all is dropped.
 */
function recoded(headers: HeaderList): HeaderList {
  return without(headers, 'content-length', 'accept-ranges').flatMap(([name, value]): Header[] => {
    if (name.toLowerCase() !== 'etag' || /^W\//.test(value)) return [[name, value]]
    return value.startsWith('"') && value.length > 1 ? [[name, `W/${value}`]] : []
  })
}

/** nginx compresses no other. */
const COMPRESSED_STATUS = new Set([200, 403, 404])

/** The reason why the proxy may not compress this answer for any client. */
function ineligible(answer: HttpResponse, { minLength, types }: GzipSettings): string | undefined {
  if (!COMPRESSED_STATUS.has(answer.status))
    return `status ${answer.status} is not a type that nginx compresses`
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

/** @param content the body, decoded; undefined when there is nothing to decode */
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

/** The characters that a header field may consist of (RFC 9110 §5.1, §5.5). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

function checkHeaders(headers: HeaderList): void {
  const bad = headers.find(([name, value]) => !NAME.test(name) || !VALUE.test(value))
  if (bad) throw new UpstreamError('the upstream sends a header field that nobody may pass on')
}

/** True for an answer with a whole body, possibly an empty one (RFC 9110 §6.4.1, §15.3.7). */
const hasBody = ({ method }: HttpRequest, { status }: HttpResponse): boolean =>
  method !== 'HEAD' && status !== 204 && status !== 304 && status !== 206

/**
 * The answer of the proxy to `request`, made from that of its upstream. Status, coding, coded bytes and Vary are those
 * of nginx; the framing is the listener's. Unlike nginx it decodes each body that it passes on, and passes on no body
 * that contradicts its coding.
 * @throws UpstreamError for a body that is not what its Content-Encoding says, or too large when decoded
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
