import { type HttpRequest, text } from '../../../protocol/http/message.js'
import { isJsonObject } from '../../../protocol/values.js'
import { refusal } from './refusal.js'

const unreadable = (why: string) => refusal(400, 9207, `Request body is invalid: ${why}`)

/**
 * Parses the JSON object of a request. Ignores the content type.
 * @throws Refusal
 */
export function objectOf(request: HttpRequest): { readonly [name: string]: unknown } {
  let value: unknown
  try {
    value = JSON.parse(text(request.body))
  } catch {
    throw unreadable(request.body.length === 0 ? 'it is empty.' : 'it is not JSON.')
  }
  if (!isJsonObject(value)) {
    throw unreadable('it is not a JSON object.')
  }
  return value
}
