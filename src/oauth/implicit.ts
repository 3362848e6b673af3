import { answerIn } from './answer-place.js'
import { type AuthorizationRequest, readAnswer } from './authorization.js'
import { type Check, check } from './check.js'
import { OAuthError } from './oauth-error.js'
import type { TokenResponse } from './token.js'

/** An implicit response that passed its checks. */
export interface ImplicitResponse {
  readonly tokens: TokenResponse
  readonly checks: readonly Check[]
}

/**
 * Checks the response of the implicit grant, which is in the fragment (RFC 6749 §4.2.2, OpenID Connect Core §3.2.2.5).
 * @param landed the URL that the user agent was redirected to, with its fragment
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function implicitResponse(landed: string, request: AuthorizationRequest): ImplicitResponse {
  const rule = 'RFC 6749 §4.2.2'
  const invalid = (description: string) => new OAuthError('invalid_response', { description, rule })
  const names = ['access_token', 'token_type', 'expires_in', 'id_token', 'refresh_token', 'code'] as const
  const { values, checks } = readAnswer(answerIn(landed, 'fragment'), names, request)
  const { access_token: accessToken, token_type: type, expires_in: seconds, scope, id_token } = values
  if (accessToken === undefined) throw invalid('the answer has neither access_token nor error')
  if (type === undefined) throw invalid('token_type is missing')
  if (type.toLowerCase() !== 'bearer') throw invalid(`token_type is ${type}; this client knows Bearer`)
  if (seconds !== undefined && !/^\d{1,10}$/.test(seconds)) {
    throw invalid('expires_in is not a number of seconds')
  }
  if (values.refresh_token !== undefined) throw invalid('a refresh_token may not come through the browser')
  if (request.responseType.includes('id_token') && id_token === undefined) {
    throw new OAuthError('invalid_response', {
      description: 'the answer has no id_token',
      rule: 'OpenID Connect Core §3.2.2.5',
    })
  }
  return {
    tokens: {
      access_token: accessToken,
      token_type: type,
      ...(seconds === undefined ? {} : { expires_in: Number(seconds) }),
      ...(scope === undefined ? {} : { scope }),
      ...(id_token === undefined ? {} : { id_token }),
    },
    checks: [
      ...checks,
      check('fragment', true, rule, 'behind the #, so that no server saw it'),
      check('token_type', true, 'RFC 6749 §7.1', type),
    ],
  }
}
