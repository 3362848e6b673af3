import { TransportError } from '../../errors.js'
import type { Exchange } from '../../http/exchange.js'
import { header, mediaType } from '../../http/message.js'
import { isJsonObject, type JsonObject } from '../../oauth/json-object.js'
import type { CursorInfo, PageInfo } from '../shapes.js'
import type { ApiAccess } from './access.js'
import { ApiRefusal, type GivenError } from './dns-client-errors.js'
import { refusalHints } from './dns-refusal-hints.js'
import type { ApiRequest } from './requests.js'

/** A successful answer. */
export interface Answer<T> {
  readonly result: T
  /** The position in a list. Every member may be missing. */
  readonly info: Partial<PageInfo & CursorInfo>
  readonly exchange: Exchange
}

/** Returns the error for an answer that this API never gives: a server was reached, but its answer is unknown. */
export function unreadable(message: string, hints: readonly string[] = []): TransportError {
  return new TransportError(message, 'EBADMSG', hints)
}

/** Describes a body that is not a JSON object. */
function described(body: string, type: string): string {
  if (body.trim() === '') return 'nothing'
  if (/^\s*</.test(body) || type === 'text/html') return 'HTML'
  if (/^\s*[{[]/.test(body)) return 'JSON that ends too early or is broken'
  return type === '' || type === 'application/json' ? 'text that is no JSON' : `${type} that is no JSON`
}

/** Method and path of a request, for messages. */
const askedFor = ({ method, path }: ApiRequest): string => `${method} ${path}`

/**
 * Returns the JSON object of an answer with any status.
 * @throws TransportError for a redirect and for another body; ApiRefusal for a 429 that is no JSON
 */
export function readObject(exchange: Exchange, request: ApiRequest, access: ApiAccess): JsonObject {
  const { response } = exchange
  if (response === undefined) throw unreadable(`${access.base} gave no answer`)
  const { status, body } = response
  const asked = askedFor(request)
  if (status >= 300 && status < 400) {
    const to = (header(response, 'location') ?? 'nowhere').slice(0, 200)
    throw unreadable(`${access.base} redirects ${asked} to ${to} (HTTP ${status})`, [
      `Nothing, and no credential, was sent on. The address is from ${access.via}.`,
    ])
  }
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    if (status === 429) throw refused([], status, exchange, access)
    throw unreadable(
      `${access.base} answered ${asked} with ${described(body, mediaType(response))} (HTTP ${status})`,
      [`Is this the DNS API, or does something stand before it? The address is from ${access.via}.`],
    )
  }
  if (isJsonObject(value)) return value
  throw unreadable(`${access.base} answered ${asked} with JSON that is no object (HTTP ${status})`)
}

/** The errors of an answer. Members may be missing: gateways leave them out. */
export function errorsOf(value: unknown): GivenError[] {
  if (!Array.isArray(value)) return []
  return value.filter(isJsonObject).map(({ code, message, error_chain: chain }) => ({
    ...(typeof code === 'number' && { code }),
    message: typeof message === 'string' && message !== '' ? message : 'no message',
    chain: errorsOf(chain),
  }))
}

function refused(
  errors: readonly GivenError[],
  status: number,
  exchange: Exchange,
  access: ApiAccess,
): ApiRefusal {
  const none = status === 429 ? 'Too many requests' : 'The service refused without a reason'
  const all = errors.length > 0 ? errors : [{ message: none, chain: [] }]
  return new ApiRefusal(all, status, exchange, refusalHints(all, exchange, access))
}

/**
 * Returns the result in the envelope of an answer.
 * @throws ApiRefusal for a refusal; TransportError for an answer that this API never gives
 */
export function readAnswer<T>(exchange: Exchange, request: ApiRequest, access: ApiAccess): Answer<T> {
  const value = readObject(exchange, request, access)
  const status = exchange.response?.status ?? 0
  const errors = errorsOf(value.errors)
  const failed = status < 200 || status >= 300
  if (value.success === false || errors.length > 0 || (failed && 'errors' in value)) {
    throw refused(errors, status, exchange, access)
  }
  if (failed || value.result === undefined) {
    throw unreadable(
      `${access.base} answered ${askedFor(request)} with JSON that has no ${failed ? 'errors' : 'result'} in it (HTTP ${status})`,
      [`Is this the DNS API? The address is from ${access.via}.`],
    )
  }
  const info = isJsonObject(value.result_info) ? (value.result_info as Answer<T>['info']) : {}
  return { result: value.result as T, info, exchange }
}
