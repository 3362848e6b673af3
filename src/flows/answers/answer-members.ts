import type { Exchange } from '../../protocol/http/exchange.js'
import { type JsonObject, parsedObject } from '../../protocol/values.js'

/** The members of an answer that is a JSON object; empty for any other answer. */
export function answerMembers({ response }: Exchange): JsonObject {
  return parsedObject(response?.body ?? '') ?? {}
}
