import { answeredJson, type Message, textMember } from './message.js'

/** A token that a server issued in the recording. */
export interface IssuedToken {
  readonly kind: 'access_token' | 'id_token' | 'refresh_token'
  readonly value: string
  readonly message: Message
}

const KINDS = ['access_token', 'id_token', 'refresh_token'] as const

/** The tokens of token answers and authorization responses, each once, in their order. */
export function issuedTokens(messages: readonly Message[]): readonly IssuedToken[] {
  const tokens = new Map<string, IssuedToken>()
  for (const message of messages) {
    const json = message.kind === 'token_request' ? answeredJson(message) : undefined
    for (const kind of KINDS) {
      for (const value of [textMember(json, kind), message.answer?.fields.get(kind)]) {
        if (value !== undefined && !tokens.has(value)) tokens.set(value, { kind, value, message })
      }
    }
  }
  return [...tokens.values()]
}
