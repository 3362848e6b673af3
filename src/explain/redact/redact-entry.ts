import { defined } from '../../defined.js'
import { type HeaderList, header, mediaType, splitUrl } from '../../http/message.js'
import { isJsonObject, type JsonObject } from '../../oauth/json-object.js'
import { readFields } from '../fields.js'
import { jsonOf } from '../message.js'
import type { Recorded } from '../recorded.js'
import { redactHeaders } from './headers.js'
import type { Redactor } from './redactor.js'

const LEFT_OUT = 'left out by oauth-lab'

const named = (pairs: HeaderList) => pairs.map(([name, value]) => ({ name, value }))
const word = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w:./ -]{1,80}$/.test(value) ? value : undefined
const time = (value: unknown): number => (typeof value === 'number' ? value : -1)

/** A body with new values; undefined for a body that is neither form nor JSON. */
function redactBody(
  message: { headers: HeaderList; body: string },
  { form, json }: Redactor,
): string | undefined {
  if (mediaType(message) === 'application/x-www-form-urlencoded') return form(message.body)
  const object = jsonOf(message.body)
  return object === undefined ? undefined : JSON.stringify(json(object))
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
  const mimeType = header(request, 'content-type') ?? ''
  const isLeftOut = body === undefined && (request.body !== '' || lacks.includes('request body'))
  return defined({
    method: request.method,
    url,
    httpVersion: word(version) ?? 'HTTP/1.1',
    cookies: [],
    headers: named(redactHeaders(request.headers, redactor)),
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
  const headers = redactHeaders(response?.headers ?? [], redactor)
  const full = response?.body ?? ''
  const text = isPicked && response && full !== '' ? redactBody(response, redactor) : undefined
  const dropped = text === undefined && (full !== '' || exchange.bodyBytes > 0)
  return defined({
    status: response?.status ?? 0,
    statusText: '',
    httpVersion: word(version) ?? 'HTTP/1.1',
    cookies: [],
    headers: named(headers),
    content: defined({
      size: text === undefined ? exchange.bodyBytes : Buffer.byteLength(text),
      mimeType: (response && header(response, 'content-type')) ?? 'x-unknown',
      text,
      comment: dropped ? LEFT_OUT : undefined,
    }),
    redirectURL: header({ headers }, 'location') ?? '',
    headersSize: -1,
    bodySize: -1,
    _error: word(failure),
  })
}

/** The phases of an entry (HAR 1.2), which are numbers. */
function timingsOf(value: unknown) {
  const all: JsonObject = isJsonObject(value) ? value : {}
  const phases = ['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive']
  return Object.fromEntries(phases.map(name => [name, time(all[name])]))
}

/**
 * An entry with new values. Only members that this program knows are written. Bodies are kept of exchanges of OAuth alone, as forms
 * and JSON.
 * @param raw the entry as it was read
 */
export function redactEntry(raw: JsonObject, recorded: Recorded, isPicked: boolean, redactor: Redactor) {
  const request = isJsonObject(raw.request) ? raw.request : {}
  const response = isJsonObject(raw.response) ? raw.response : {}
  const initiator = isJsonObject(raw._initiator) ? word(raw._initiator.type) : undefined
  const { exchange, sent } = recorded
  return defined({
    startedDateTime: Number.isNaN(sent) ? undefined : exchange.at,
    time: exchange.ms,
    pageref: word(raw.pageref),
    request: redactRequest(recorded, isPicked, request.httpVersion, redactor),
    response: redactResponse(recorded, isPicked, response.httpVersion, redactor),
    cache: {},
    timings: timingsOf(raw.timings),
    _initiator: initiator === undefined ? undefined : { type: initiator },
    _resourceType: word(raw._resourceType),
  })
}

/** A page of an archive without its title, which holds an address or a name. */
export function redactPage(value: unknown): object | undefined {
  if (!isJsonObject(value)) return undefined
  return {
    startedDateTime: word(value.startedDateTime) ?? '',
    id: word(value.id) ?? '',
    title: '',
    pageTimings: {},
  }
}
