import { bytes, type HttpResponse } from '../../../protocol/http/message.js'
import type { CursorInfo, PageInfo } from '../shapes.js'
import type { Refusal } from './refusal.js'

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
