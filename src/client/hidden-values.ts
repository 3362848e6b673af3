import { FormError, parseForm } from '../protocol/http/form.js'
import { splitUrl } from '../protocol/http/message.js'
import type { AuthorizationRequest } from '../protocol/oauth/authorization-request.js'
import { codeChallenge } from '../protocol/oauth/pkce.js'
import { defined } from '../protocol/values.js'
import type { ReadPage } from './login-page.js'

/** Values that are shorter stand for nothing secret, and could be part of a word. */
const MIN_LENGTH = 8

/** Parameters that tie an answer to its request: a page that repeats them is not to be shown with them. */
const BINDING = new Set(['state', 'nonce', 'code_challenge', 'request', 'request_uri', 'id_token_hint'])

function parametersOf(url: string): readonly string[] {
  try {
    return parseForm(splitUrl(url).query).flatMap(([name, value]) => (BINDING.has(name) ? [value] : []))
  } catch (error) {
    // Requests with a wrong move in them may have a query that cannot be decoded.
    if (error instanceof FormError) return []
    throw error
  }
}

/** The text without the beginning of a value, where the end of the text was cut off inside of the value. */
function withoutCutValue(text: string, value: string): string {
  if (!text.endsWith('…')) return text
  const kept = text.slice(0, -1)
  for (let length = Math.min(value.length - 1, kept.length); length >= MIN_LENGTH; length--) {
    if (kept.endsWith(value.slice(0, length))) return `${kept.slice(0, -length)}…`
  }
  return text
}

type Binding = Pick<AuthorizationRequest, 'url' | 'state' | 'nonce' | 'codeVerifier'>

function hidden(text: string, values: readonly string[]): string {
  return values.reduce((shown, value) => {
    const without = shown.replaceAll(value, '…').replaceAll(encodeURIComponent(value), '…')
    return withoutCutValue(without, value)
  }, text)
}

/**
 * Returns a page without the values of an authorization request that tie its answer to it, such as `state`: a page may repeat the whole request, and its
 * text becomes part of a message.
 */
export function withoutBinding(page: ReadPage, { url, state, nonce, codeVerifier }: Binding): ReadPage {
  const challenge = codeVerifier && codeChallenge(codeVerifier)
  const values = [state, nonce, codeVerifier, challenge, ...parametersOf(url)].flatMap(value =>
    value !== undefined && value.length >= MIN_LENGTH ? [value] : [],
  )
  const { text, alert, heading } = page
  return {
    ...page,
    ...defined({ alert: alert && hidden(alert, values), heading: heading && hidden(heading, values) }),
    text: hidden(text, values),
  }
}
