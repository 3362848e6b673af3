import { type AuthorizationRequest, answerTo, deliveryTo, readAnswer } from './authorization.js'
import { BROWSER_TOKEN_NAMES, browserTokens, fragmentCheck } from './browser-tokens.js'
import type { Check } from './check.js'
import { OAuthError } from './oauth-error.js'
import type { TokenResponse } from './token.js'

/** An implicit response that passed its checks. */
export interface ImplicitResponse {
  readonly tokens: TokenResponse
  readonly checks: readonly Check[]
}

/**
 * Checks the response of the implicit grant, which is in the fragment (RFC 6749 §4.2.2, OpenID Connect Core §3.2.2.5) or in
 * a form.
 * @param landed the URL that the user agent was redirected to, with its fragment
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function implicitResponse(landed: string, request: AuthorizationRequest): ImplicitResponse {
  const names = [...BROWSER_TOKEN_NAMES, 'code'] as const
  const { values, checks } = readAnswer(answerTo(request, landed), names, request)
  const { tokens, checks: more } = browserTokens(values)
  if (request.responseType.includes('id_token') && tokens.id_token === undefined) {
    throw new OAuthError('invalid_response', {
      description: 'the answer has no id_token',
      rule: 'OpenID Connect Core §3.2.2.5',
    })
  }
  const place = deliveryTo(request) === 'fragment' ? [fragmentCheck()] : []
  return { tokens, checks: [...checks, ...place, ...more] }
}
