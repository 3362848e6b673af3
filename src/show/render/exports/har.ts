import { STATUS_CODES } from 'node:http'
import type { Step } from '../../../flows/step.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { pairsIfForm } from '../../../protocol/http/form.js'
import {
  type HeaderList,
  header,
  headerValues,
  mediaType,
  readSetCookie,
  splitUrl,
} from '../../../protocol/http/message.js'
import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { maskExchange } from '../../../protocol/safe-output/mask.js'
import { defined } from '../../../protocol/values.js'
import { ruleName } from '../rule-lines.js'
import { type ExportedRecord, type ExportOptions, exportTitle } from './export-options.js'

interface Pair {
  name: string
  value: string
}

function pairs(headers: HeaderList): Pair[] {
  return headers.map(([name, value]) => ({ name, value }))
}

/** The parameters of a query or form; text that cannot be decoded stays as it was written. */
function parameters(form: string): Pair[] {
  const asWritten = () => form.split('&').map(part => part.split(/=(.*)/s))
  return (pairsIfForm(form) ?? asWritten()).map(([name = '', value = '']) => ({ name, value }))
}

/** The body as text, which can be sent again to the letter. HAR 1.2 allows `text` or `params`, not both. */
function postData({ headers, body }: Exchange['request']) {
  return { mimeType: header({ headers }, 'content-type') ?? '', text: body }
}

/** The signs of a masked value in ASCII. Addresses and headers never hold the signs themselves. */
function inAscii(text: string): string {
  return text.replaceAll('•', '*').replaceAll('…', '...')
}

function legalHeaders(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name, inAscii(value)] as const)
}

/** A masked exchange whose address, headers and form are legal: programs that read archives refuse others. */
function legal(exchange: Exchange): Exchange {
  const { request: sent, response: got } = exchange
  const isForm = mediaType(sent) === 'application/x-www-form-urlencoded'
  const request = {
    ...sent,
    url: inAscii(sent.url),
    headers: legalHeaders(sent.headers),
    body: isForm ? inAscii(sent.body) : sent.body,
  }
  return got
    ? { ...exchange, request, response: { ...got, headers: legalHeaders(got.headers) } }
    : { ...exchange, request }
}

function request({ request: sent, wireBytes }: Exchange) {
  const { method, url, headers, body } = sent
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: requestCookies(headers),
    headers: pairs(headers),
    queryString: parameters(splitUrl(url).query),
    ...(body !== '' && { postData: postData(sent) }),
    headersSize: -1,
    bodySize: wireBytes.request,
  }
}

function content({ response, wireBytes, bodyBytes }: Exchange, masked: boolean) {
  const headers = response?.headers ?? []
  const coded = header({ headers }, 'content-encoding') !== undefined
  return {
    size: bodyBytes,
    ...(coded && { compression: bodyBytes - wireBytes.response }),
    mimeType: header({ headers }, 'content-type') ?? 'x-unknown',
    ...(bodyBytes > 0 && { text: response?.body ?? '' }),
    ...(masked && bodyBytes > 0 && { comment: 'secrets are masked; size is that of the real body' }),
  }
}

/** An exchange without an answer has the status 0, as browsers write it. */
function response(exchange: Exchange, masked: boolean) {
  const { response: got, wireBytes } = exchange
  const headers = got?.headers ?? []
  return {
    status: got?.status ?? 0,
    statusText: STATUS_CODES[got?.status ?? 0] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: responseCookies(headers),
    headers: pairs(headers),
    content: content(exchange, masked),
    redirectURL: header({ headers }, 'location') ?? '',
    headersSize: -1,
    bodySize: got === undefined ? -1 : wireBytes.response,
    ...(got === undefined && { comment: 'no answer came' }),
  }
}

function entry(step: Step, sent: Exchange, showSecrets: boolean) {
  const exchange = showSecrets ? sent : legal(maskExchange(sent, 'all'))
  return {
    startedDateTime: exchange.at,
    time: exchange.ms,
    request: request(exchange),
    response: response(exchange, !showSecrets),
    cache: {},
    // One clock ran from sending to the last byte, connecting included.
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: exchange.ms, receive: 0 },
    comment: `${step.n}/${step.of} ${step.name} (${ruleName(step.rfc)}) ${step.why}`.trimEnd(),
  }
}

/** A run as an HTTP Archive, HAR 1.2: what was sent and came back, sizes and times as they were. */
export function har(records: readonly ExportedRecord[], options: ExportOptions) {
  const { version, showSecrets } = options
  const outcome = records.find(record => record.type === 'outcome')
  return {
    log: {
      version: '1.2',
      creator: { name: 'oauth-lab', version },
      entries: records.flatMap(record =>
        record.type === 'step' && record.exchange ? [entry(record, record.exchange, showSecrets)] : [],
      ),
      comment: `${exportTitle(options)}: ${outcome?.outcome ?? 'not ended'}`,
    },
  }
}

/** The archive as text that is safe for terminals. */
export function harText(records: readonly ExportedRecord[], options: ExportOptions): string {
  return `${jsonLine(har(records, options), 2)}\n`
}

/** A cookie of HAR 1.2. */
interface HarCookie {
  name: string
  value: string
  path?: string
  domain?: string
  /** ISO 8601 */
  expires?: string
  httpOnly?: boolean
  secure?: boolean
}

/** The cookies of a request (RFC 6265 §4.2.1). */
export function requestCookies(headers: HeaderList): HarCookie[] {
  return headerValues({ headers }, 'cookie')
    .flatMap(line => line.split(';'))
    .filter(pair => pair.trim() !== '')
    .map(pair => {
      const { name, value } = readSetCookie(pair)
      return { name, value }
    })
}

/** The cookies that a response sets (RFC 6265 §4.1.1). */
export function responseCookies(headers: HeaderList): HarCookie[] {
  return headerValues({ headers }, 'set-cookie').map(line => {
    const { name, value, attributes } = readSetCookie(line)
    const time = Date.parse(attributes.get('expires') ?? '')
    return defined({
      name,
      value,
      httpOnly: attributes.has('httponly'),
      secure: attributes.has('secure'),
      path: attributes.get('path'),
      domain: attributes.get('domain'),
      expires: Number.isNaN(time) ? undefined : new Date(time).toISOString(),
    })
  })
}
