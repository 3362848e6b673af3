import type { Exchange } from '../../http/exchange.js'

/** The JSON object of an answer; undefined where it is none. */
function members({ response }: Exchange): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(response?.body ?? '')
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The members of an answer that is a JSON object; empty for any other. */
export function answerMembers(exchange: Exchange): Readonly<Record<string, unknown>> {
  return members(exchange) ?? {}
}
