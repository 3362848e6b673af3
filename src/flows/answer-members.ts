import type { Exchange } from '../http/exchange.js'

/** The members of an answer that is a JSON object; empty for any other answer. */
export function answerMembers({ response }: Exchange): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(response?.body ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
