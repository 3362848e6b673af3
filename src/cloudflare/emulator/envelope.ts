import { bytes, type HttpResponse } from '../../http/message.js'
import type { CursorInfo, PageInfo } from '../shapes.js'
import type { Refusal } from './refusal.js'

const JSON_TYPE = ['content-type', 'application/json'] as const

function json(status: number, body: unknown): HttpResponse {
  return { status, headers: [JSON_TYPE], body: bytes(JSON.stringify(body)) }
}

/** A result in its envelope, members in the service's order. */
export function success(
  result: unknown,
  info?: PageInfo | CursorInfo,
  messages: readonly object[] = [],
): HttpResponse {
  return json(200, { result, success: true, errors: [], messages, ...(info && { result_info: info }) })
}

/** A refusal in its envelope. */
export function failure({ status, errors, headers }: Refusal): HttpResponse {
  const answer = json(status, { result: null, success: false, errors, messages: [] })
  return { ...answer, headers: [...answer.headers, ...headers] }
}

/** A GraphQL answer: it has no envelope. */
export const graphqlAnswer = (status: number, body: object): HttpResponse => json(status, body)
