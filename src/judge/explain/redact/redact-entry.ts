import { readFields } from '../../../protocol/http/form.js'
import { type HeaderList, header, mediaType, splitUrl } from '../../../protocol/http/message.js'
import { defined, isJsonObject, type JsonObject } from '../../../protocol/values.js'
import { jsonOf } from '../message.js'
import type { Recorded } from '../recorded.js'
import { wordsOf } from '../words.js'
import { redactHeaders } from './headers.js'
import type { Redactor } from './redactor.js'

const LEFT_OUT = 'left out by oauth-lab'

const named = (pairs: HeaderList) => pairs.map(([name, value]) => ({ name, value }))

/** The kind of a request, or of what caused it. */
const kindOf = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  /^(?:document|stylesheet|image|media|font|script|texttrack|xhr|fetch|prefetch|eventsource|websocket|manifest|signedexchange|ping|cspviolationreport|preflight|other|parser|redirect|user|link)$/i.test(
    value,
  )
    ? value
    : undefined
const versionOf = (value: unknown): string =>
  typeof value === 'string' && /^(http\/\d(\.\d)?|h[23]|spdy|quic)$/i.test(value) ? value : 'HTTP/1.1'

/** The code in the reason of a failure, such as `net::ERR_FAILED`. What stands around it may hold an address. */
const codeOf = (failure: string | undefined): string | undefined =>
  failure === undefined
    ? undefined
    : (/\b(?:net::ERR_[A-Z_]+|NS_[A-Z_]+|E[A-Z]{3,12}|[A-Z]+_ERR_[A-Z_]+)\b/.exec(failure)?.[0] ?? 'failed')

/** The methods of HTTP and WebDAV that browsers and clients send. */
const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|PROPFIND|REPORT|QUERY)$/

const time = (value: unknown): number => (typeof value === 'number' ? value : -1)

/** A body with new values; undefined for a body that is neither form nor JSON. */
function redactBody(
  message: { headers: HeaderList; body: string },
  { form, json }: Redactor,
): string | undefined {
  // Some clients send JSON under the type of a form.
  const object = jsonOf(message.body)
  if (object !== undefined) return JSON.stringify(json(object))
  return mediaType(message) === 'application/x-www-form-urlencoded' ? form(message.body) : undefined
}

/** The body of an answer with new values. Of an error page only the sentence about the error stays. */
function redactAnswer(
  response: NonNullable<Recorded['exchange']['response']>,
  redactor: Redactor,
): string | undefined {
  const body = redactBody(response, redactor)
  const words = body === undefined ? wordsOf(response) : undefined
  const said = words && (words.text ?? words.code)
  return said === undefined ? body : redactor.member('error_description', said)
}

function redactRequest(
  { exchange, lacks }: Recorded,
  isPicked: boolean,
  version: unknown,
  redactor: Redactor,
) {
  const { request } = exchange
  const url = redactor.address(request.url)
  const body = isPicked && request.body !== '' ? redactBody(request, redactor) : undefined
  const headers = redactHeaders(request.headers, redactor, isPicked)
  const mimeType = header({ headers }, 'content-type') ?? ''
  const isLeftOut = body === undefined && (request.body !== '' || lacks.includes('request body'))
  return defined({
    method: METHOD.test(request.method) ? request.method : redactor.value(request.method),
    url,
    httpVersion: versionOf(version),
    cookies: [],
    headers: named(headers),
    queryString: named(readFields(splitUrl(url).query).pairs),
    postData:
      body !== undefined
        ? { mimeType, text: body }
        : isLeftOut
          ? { mimeType, text: '', comment: LEFT_OUT }
          : undefined,
    headersSize: -1,
    bodySize: exchange.wireBytes.request,
  })
}

function redactResponse(
  { exchange, failure }: Recorded,
  isPicked: boolean,
  version: unknown,
  redactor: Redactor,
) {
  const { response } = exchange
  const headers = redactHeaders(response?.headers ?? [], redactor, isPicked)
  const full = response?.body ?? ''
  const text = isPicked && response && full !== '' ? redactAnswer(response, redactor) : undefined
  const dropped = text === undefined && (full !== '' || exchange.bodyBytes > 0)
  return defined({
    status: response?.status ?? 0,
    statusText: '',
    httpVersion: versionOf(version),
    cookies: [],
    headers: named(headers),
    content: defined({
      size: text === undefined ? exchange.bodyBytes : Buffer.byteLength(text),
      mimeType: header({ headers }, 'content-type') ?? 'x-unknown',
      text,
      comment: dropped ? LEFT_OUT : undefined,
    }),
    redirectURL: header({ headers }, 'location') ?? '',
    headersSize: -1,
    bodySize: -1,
    _error: codeOf(failure),
  })
}

/** The phases of an entry (HAR 1.2), which are numbers. */
function timingsOf(value: unknown) {
  const all: JsonObject = isJsonObject(value) ? value : {}
  const phases = ['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive']
  return Object.fromEntries(phases.map(name => [name, time(all[name])]))
}

/** The first of all times, for what has none: programs refuse an archive without times. */
const NO_TIME = new Date(0).toISOString()

/** Redacts the parts of an archive. */
export interface EntryRedactor {
  /**
   * An entry with new values. Only members that this program knows are written. Bodies are kept of exchanges of OAuth alone, as forms
   * and JSON.
   * @param raw the entry as it was read
   */
  readonly entry: (raw: JsonObject, recorded: Recorded, isPicked: boolean) => object
  /** A page without its title, which holds an address or a name. Undefined for a value that is no page. */
  readonly page: (value: unknown) => object | undefined
}

/** Creates a redactor of entries and pages. Pages are numbered, because some programs name them by their addresses. */
export function createEntryRedactor(redactor: Redactor): EntryRedactor {
  const pages = new Map<string, string>()

  function pageName(id: unknown): string | undefined {
    if (typeof id !== 'string' || id === '') return undefined
    const known = pages.get(id) ?? `page_${pages.size + 1}`
    if (pages.size < MAX_PAGES) pages.set(id, known)
    return known
  }

  return {
    entry(raw, recorded, isPicked) {
      const request = isJsonObject(raw.request) ? raw.request : {}
      const response = isJsonObject(raw.response) ? raw.response : {}
      const initiator = isJsonObject(raw._initiator) ? kindOf(raw._initiator.type) : undefined
      const { exchange, sent } = recorded
      return defined({
        startedDateTime: Number.isNaN(sent) ? NO_TIME : exchange.at,
        time: exchange.ms,
        pageref: pageName(raw.pageref),
        request: redactRequest(recorded, isPicked, request.httpVersion, redactor),
        response: redactResponse(recorded, isPicked, response.httpVersion, redactor),
        cache: {},
        timings: timingsOf(raw.timings),
        _initiator: initiator === undefined ? undefined : { type: initiator },
        _resourceType: kindOf(raw._resourceType),
      })
    },
    page(value) {
      if (!isJsonObject(value)) return undefined
      const { id, startedDateTime } = value
      const time = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN
      return {
        startedDateTime: Number.isNaN(time) ? NO_TIME : new Date(time).toISOString(),
        id: pageName(id) ?? '',
        title: '',
        pageTimings: {},
      }
    },
  }
}

/** Most pages that have a number of their own. */
const MAX_PAGES = 10_000
