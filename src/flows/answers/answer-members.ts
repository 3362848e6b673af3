import type { Exchange } from '../../protocol/http/exchange.js'
import { isJsonObject, type JsonObject } from '../../protocol/values.js'

/** The members of an answer that is a JSON object; empty for any other answer. */
export function answerMembers({ response }: Exchange): JsonObject {
  try {
    const value: unknown = JSON.parse(response?.body ?? '')
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
