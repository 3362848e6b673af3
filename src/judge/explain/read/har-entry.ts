import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { percentEncode } from '../../../protocol/http/form.js'
import { type Header, type HeaderList, header } from '../../../protocol/http/message.js'
import { defined, isJsonObject, type JsonObject } from '../../../protocol/values.js'
import type { Recorded } from '../recorded.js'
import { SHORTENED } from './shorten-strings.js'

export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
export const listOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Name and value of headers, cookies or parameters. Pseudo headers of HTTP/2, such as `:authority`, are no headers. */
function pairsOf(value: unknown): Header[] {
  return listOf(value).flatMap(({ name, value: text }): Header[] =>
    typeof name === 'string' && !name.startsWith(':') ? [[name, textOf(text)]] : [],
  )
}

function headersOf(message: JsonObject): HeaderList {
  const headers = pairsOf(message.headers)
  const cookies = pairsOf(message.cookies)
  if (cookies.length === 0 || header({ headers }, 'cookie') !== undefined) return headers
  // Safari has cookies beside the headers.
  return [...headers, ['cookie', cookies.map(([name, value]) => `${name}=${value}`).join('; ')]]
}

/**
 * A parameter as it stands in a form. Chrome lists parameters as they were sent, Firefox lists them decoded: a value that could have
 * been sent stays as it is.
 */
const sentPart = (text: string): string =>
  /^(?:[\w.~*+-]|%[\da-f]{2})*$/i.test(text) ? text : percentEncode(text)

const isShortened = (text: string): boolean => text.endsWith(SHORTENED)

/** Longest body that is decompressed, in bytes. */
const MAX_BODY = 1024 * 1024

/** A body in base64. Proxies also write it as it travelled, compressed. */
function decoded(text: string, encoding: unknown, coding = ''): string {
  if (encoding !== 'base64' || isShortened(text)) return text
  const bytes = Buffer.from(text, 'base64')
  const options = { maxOutputLength: MAX_BODY }
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, options).toString('utf8')
    if (/\bbr\b/i.test(coding) && !isUtf8(bytes)) return brotliDecompressSync(bytes, options).toString('utf8')
    if (/\bdeflate\b/i.test(coding) && !isUtf8(bytes)) return inflateSync(bytes, options).toString('utf8')
  } catch {
    // It was decompressed before, or is cut off.
  }
  return bytes.toString('utf8')
}

/** The body of a request: its text, else its parameters (HAR 1.2 allows either; browsers write both). */
function requestBody(postData: JsonObject): string {
  const text = decoded(textOf(postData.text), postData.encoding ?? postData._encoding)
  if (text !== '') return text
  return pairsOf(postData.params)
    .map(([name, value]) => `${sentPart(name)}=${sentPart(value)}`)
    .join('&')
}

/** The time of an entry: ISO 8601 in every zone; a few programs write seconds or milliseconds. */
function timeOf(value: unknown): number {
  if (typeof value === 'string') return Date.parse(value)
  if (typeof value !== 'number') return Number.NaN
  return value > 1e11 ? value : value * 1000
}

/**
 * The status of an answer; undefined where none came. Firefox leaves the status out when a page goes away right after the answer, and
 * writes the headers: such an answer was read, so it is a good one, or a redirect.
 */
function statusOf({ status, redirectURL, headers }: JsonObject): number | undefined {
  if (typeof status !== 'number') return undefined
  if (status >= 100) return status
  if (pairsOf(headers).length === 0) return undefined
  return textOf(redirectURL) === '' ? 200 : 302
}

function responseOf(value: JsonObject): Exchange['response'] {
  const status = statusOf(value)
  if (status === undefined) return undefined
  const content = objectOf(value.content)
  const headers = pairsOf(value.headers)
  const to = textOf(value.redirectURL)
  const missing = to !== '' && header({ headers }, 'location') === undefined
  const type = textOf(content.mimeType)
  const typed = type !== '' && type !== 'x-unknown' && header({ headers }, 'content-type') === undefined
  return {
    status,
    headers: [
      ...headers,
      ...(missing ? [['location', to] as const] : []),
      ...(typed ? [['content-type', type] as const] : []),
    ],
    body: decoded(textOf(content.text), content.encoding, header({ headers }, 'content-encoding')),
  }
}

const positive = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0)

/** True for a request that a script sent: browsers say so in their own members, in Origin, or in Sec-Fetch-Mode. */
function isFromPage(entry: JsonObject, headers: HeaderList): boolean {
  if (objectOf(entry._initiator).type === 'script') return true
  const resource = textOf(entry._resourceType)
  if (resource !== '') return /^(fetch|xhr)$/i.test(resource)
  const mode = header({ headers }, 'sec-fetch-mode')
  // The fetch of Node.js sends Sec-Fetch-Mode as a browser does, under a name of its own.
  const agent = header({ headers }, 'user-agent')
  if (mode !== undefined && agent !== undefined && !agent.startsWith('Mozilla')) return false
  return mode === undefined
    ? header({ headers }, 'origin') !== undefined &&
        header({ headers }, 'user-agent')?.startsWith('Mozilla') === true
    : mode === 'cors' || mode === 'same-origin'
}

function lacksOf(
  request: Exchange['request'],
  posted: JsonObject,
  response: Exchange['response'],
  { content: body, headers }: JsonObject,
) {
  const content = objectOf(body)
  const lacks: Recorded['lacks'][number][] = []
  const sentSome = Number(header(request, 'content-length') ?? 0) > 0
  if (isShortened(request.body) || (request.body === '' && (sentSome || posted.comment !== undefined))) {
    lacks.push('request body')
  }
  if (response === undefined) lacks.push('response')
  else if (isShortened(response.body) || (response.body === '' && positive(content.size) > 0)) {
    lacks.push('response body')
  }
  // Some programs leave the headers of answers out, and write the type of the body beside it.
  if (response !== undefined && response.status > 0 && pairsOf(headers).length === 0)
    lacks.push('response headers')
  return lacks
}

/** Reads an entry of an archive. Undefined for one without a request. */
export function readHarEntry(value: unknown, entry: number): Recorded | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.request)) return undefined
  const { method, url, postData } = value.request
  if (typeof method !== 'string' || typeof url !== 'string') return undefined
  const answer = objectOf(value.response)
  const content = objectOf(answer.content)
  const posted = objectOf(postData)
  const headers = headersOf(value.request)
  const mime = textOf(posted.mimeType)
  const typed = mime !== '' && header({ headers }, 'content-type') === undefined
  const request = {
    method: method.toUpperCase(),
    url,
    headers: typed ? [...headers, ['content-type', mime] as const] : headers,
    body: requestBody(posted),
  }
  const response = responseOf(answer)
  const sent = timeOf(value.startedDateTime)
  // Chrome, Playwright and others name their reason differently.
  const failure = textOf(
    answer._error ?? answer._failureText ?? value._error ?? objectOf(value._failure).errorText,
  )
  const lacks = lacksOf(request, posted, response, answer)
  const size = positive(content.size)
  const bounded = (body: string) => (isShortened(body) ? '' : body)
  const exchange = defined({
    request: { ...request, body: bounded(request.body) },
    response: response && { ...response, body: bounded(response.body) },
    wireBytes: {
      request: positive(value.request.bodySize) || Buffer.byteLength(request.body),
      response: positive(answer.bodySize) || size,
    },
    bodyBytes: size,
    ms: positive(value.time),
    at: Number.isNaN(sent) ? '' : new Date(sent).toISOString(),
  })
  const recorded = { entry, exchange, sent, fromPage: isFromPage(value, headers), lacks }
  return failure === '' ? recorded : { ...recorded, failure }
}
