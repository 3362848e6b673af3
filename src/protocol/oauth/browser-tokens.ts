import { defined } from '../../defined.js'
import { type Check, check } from './check.js'
import { OAuthError } from './oauth-error.js'
import type { TokenResponse } from './token.js'

/** The parameters of tokens that come through the browser. */
export const BROWSER_TOKEN_NAMES = [
  'access_token',
  'token_type',
  'expires_in',
  'id_token',
  'refresh_token',
] as const

/** Their values, as the answer has them. */
export type BrowserTokenValues = {
  readonly [Name in (typeof BROWSER_TOKEN_NAMES)[number] | 'scope']?: string | undefined
}

const rule = 'RFC 6749 §4.2.2'
const invalid = (description: string) => new OAuthError('invalid_response', { description, rule })

/**
 * Reads the access token of an authorization response, with the id_token beside it (RFC 6749 §4.2.2).
 * @throws OAuthError for a missing or unknown token, and for a refresh token, which may not come through the browser
 */
export function browserTokens(values: BrowserTokenValues): {
  readonly tokens: TokenResponse
  readonly checks: readonly Check[]
} {
  const { access_token: accessToken, token_type: type, expires_in: seconds, scope, id_token } = values
  if (accessToken === undefined) throw invalid('the answer has neither access_token nor error')
  if (type === undefined) throw invalid('token_type is missing')
  if (type.toLowerCase() !== 'bearer') throw invalid(`token_type is ${type}; this client knows Bearer`)
  if (seconds !== undefined && !/^\d{1,10}$/.test(seconds)) {
    throw invalid('expires_in is not a number of seconds')
  }
  if (values.refresh_token !== undefined) throw invalid('a refresh_token may not come through the browser')
  const tokens = defined({
    access_token: accessToken,
    token_type: type,
    expires_in: seconds === undefined ? undefined : Number(seconds),
    scope,
    id_token,
  })
  return { tokens, checks: [check('token_type', true, 'RFC 6749 §7.1', type)] }
}

/** Returns the check of an answer in the fragment. */
export function fragmentCheck(): Check {
  return check('fragment', true, rule, 'behind the #, so that no server saw it')
}
