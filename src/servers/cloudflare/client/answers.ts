import { jsonObjectOf, parsedJson, unreadable } from '../../../client/json-answer.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'
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

/** Method and path of a request, for messages. */
const askedFor = ({ method, path }: ApiRequest): string => `${method} ${path}`

/**
 * Returns the JSON object of an answer with any status.
 * @throws TransportError for a redirect and for another body; ApiRefusal for a 429 that is no JSON
 */
export function readObject(exchange: Exchange, request: ApiRequest, access: ApiAccess): JsonObject {
  const { status, body } = exchange.response ?? { status: 0, body: '' }
  if (status === 429 && parsedJson(body) === undefined) throw refused([], status, exchange, access)
  const { base: address, via } = access
  return jsonObjectOf(exchange, askedFor(request), { title: 'the DNS API', address, via })
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
