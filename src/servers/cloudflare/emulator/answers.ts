import {
  bytes,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  text,
} from '../../../protocol/http/message.js'
import { isJsonObject, parsedJson } from '../../../protocol/values.js'
import { RecordError } from '../records/record-types.js'
import type { ApiError, CursorInfo, PageInfo } from '../shapes.js'

/** A refused request: the status and the errors of the answer. */
export class Refusal extends Error {
  override name = 'Refusal'
  constructor(
    readonly status: number,
    readonly errors: readonly ApiError[],
    readonly headers: HeaderList = [],
  ) {
    super(errors[0]?.message ?? '')
  }
}

/** Creates a refusal with one error. */
export function refusal(status: number, code: number, message: string, headers: HeaderList = []): Refusal {
  return new Refusal(status, [{ code, message }], headers)
}

/** Our code for an unreadable parameter. The code of the service is unknown. */
const BAD_PARAMETER = 10400

export const badParameter = (message: string): Refusal => refusal(400, BAD_PARAMETER, message)

/** Returns the refusal of a path with a malformed identifier. */
export const noSuchIdentifier = (path: string): Refusal =>
  refusal(404, 7003, `Could not route to ${path.slice(0, 200)}, perhaps your object identifier is invalid?`)

export const noRoute = (): Refusal => refusal(404, 7000, 'No route for that URI')

export const noSuchRecord = (): Refusal => refusal(404, 81044, 'Record does not exist.')

/** Runs `read`. Converts a RecordError to a refusal. */
export function orRefuse<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RecordError) throw refusal(400, error.code, error.message)
    throw error
  }
}

const JSON_TYPE = ['content-type', 'application/json'] as const

function json(status: number, body: unknown): HttpResponse {
  return { status, headers: [JSON_TYPE], body: bytes(JSON.stringify(body)) }
}

/** Wraps a result in the envelope, with members in the order of the service. */
export function success(
  result: unknown,
  info?: PageInfo | CursorInfo,
  messages: readonly object[] = [],
): HttpResponse {
  return json(200, { result, success: true, errors: [], messages, ...(info && { result_info: info }) })
}

/** Wraps a refusal in the envelope. */
export function failure({ status, errors, headers }: Refusal): HttpResponse {
  const answer = json(status, { result: null, success: false, errors, messages: [] })
  return { ...answer, headers: [...answer.headers, ...headers] }
}

/** Returns a GraphQL answer, which has no envelope. */
export const graphqlAnswer = (status: number, body: object): HttpResponse => json(status, body)

const unreadable = (why: string) => refusal(400, 9207, `Request body is invalid: ${why}`)

/**
 * Parses the JSON object of a request. Ignores the content type.
 * @throws Refusal
 */
export function objectOf(request: HttpRequest): { readonly [name: string]: unknown } {
  const value = parsedJson(text(request.body))
  if (value === undefined) throw unreadable(request.body.length === 0 ? 'it is empty.' : 'it is not JSON.')
  if (!isJsonObject(value)) {
    throw unreadable('it is not a JSON object.')
  }
  return value
}

function positive(text: string | null, usual: number, name: string): number {
  if (text === null || text === '') return usual
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text)
  throw refusal(400, 1003, `${name} must be a positive integer.`)
}

/**
 * Returns the page that the query requests. A page past the end is empty, because clients read until an empty page.
 * @throws Refusal for an invalid number; a number that is too large becomes the largest allowed
 */
export function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  { usual, max }: { readonly usual: number; readonly max: number },
) {
  const page = positive(query.get('page'), 1, 'page')
  const perPage = Math.min(positive(query.get('per_page'), usual, 'per_page'), max)
  const results = all.slice((page - 1) * perPage, page * perPage)
  return {
    results,
    info: {
      page,
      per_page: perPage,
      count: results.length,
      total_count: all.length,
      total_pages: Math.ceil(all.length / perPage),
    },
  }
}
