import { tokenHash } from '../../../src/protocol/tokens/verify.js'
import {
  type HarEntry,
  jwt,
  type LoginMessages,
  type LoginParts,
  loginEntries,
  loginMessages,
  loginParts,
} from './recording.js'

/** A login in which one thing was changed. */
export function login(
  change: (messages: LoginMessages, parts: LoginParts) => void,
  prepare: (parts: LoginParts) => void = () => {},
) {
  const parts = loginParts()
  prepare(parts)
  const messages = loginMessages(parts)
  change(messages, parts)
  return loginEntries(parts, messages)
}

export const tokenEntry = (entries: HarEntry[]): HarEntry =>
  entries.find(({ request }) => request.url.endsWith('/token'))!
export const idToken = (change: Record<string, unknown>, header?: object) =>
  login((messages, { claims, accessToken }) => {
    messages.tokens.id_token = jwt({ ...claims, at_hash: tokenHash(accessToken, 'RS256'), ...change }, header)
  })
export const tokenChange = (change: Record<string, string | undefined>) =>
  login(messages => {
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) delete messages.token[name]
      else messages.token[name] = value
    }
  })
export const answerChange = (change: Record<string, string | undefined>) =>
  login(messages => {
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) delete messages.answer[name]
      else messages.answer[name] = value
    }
  })
export const changed = (entries: HarEntry[], change: (token: HarEntry) => void): HarEntry[] => {
  change(tokenEntry(entries))
  return entries
}
export const refused = (entries: HarEntry[]): HarEntry[] =>
  changed(entries, token => {
    token.response.status = 400
    token.response.content.text = JSON.stringify({ error: 'invalid_grant' })
  })
export const with_ = (...more: HarEntry[]): HarEntry[] => [...loginEntries(), ...more]
export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
export const now = Date.parse('2026-03-01T10:00:00Z') / 1000
