import { type AuthorizationRequest, answerTo, deliveryTo, readAnswer } from './authorization.js'
import { BROWSER_TOKEN_NAMES, browserTokens, fragmentCheck } from './browser-tokens.js'
import type { Check } from './check.js'
import { OAuthError } from './oauth-error.js'
import type { TokenResponse } from './token.js'

/** A hybrid response that passed its checks. */
export interface HybridResponse {
  readonly code: string
  /** The access token beside the code, for the types with `token`. */
  readonly tokens?: TokenResponse
  /** The id_token beside the code, for the types with `id_token`. It is not verified yet. */
  readonly idToken?: string
  readonly checks: readonly Check[]
}

const RULE = 'OpenID Connect Core §3.3.2.5'

const missing = (name: string) =>
  new OAuthError('invalid_response', { description: `the answer has no ${name}`, rule: RULE })

/** True when a response type has a value. */
function asksFor({ responseType }: AuthorizationRequest, value: string): boolean {
  return responseType.split(' ').includes(value)
}

/**
 * Checks a hybrid response: a code, with an access token or an id_token or both beside it (OpenID Connect Core §3.3.2.5).
 * @param landed the URL that the user agent was redirected to, with its fragment
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function hybridResponse(landed: string, request: AuthorizationRequest): HybridResponse {
  const names = [...BROWSER_TOKEN_NAMES, 'code'] as const
  const { values, checks } = readAnswer(answerTo(request, landed), names, request)
  const { code, id_token: idToken } = values
  if (code === undefined) throw missing('code')
  if (asksFor(request, 'id_token') && idToken === undefined) throw missing('id_token')
  const place = deliveryTo(request) === 'fragment' ? [fragmentCheck()] : []
  const answer = {
    code,
    checks: [...checks, ...place],
    ...(idToken !== undefined && { idToken }),
  }
  if (!asksFor(request, 'token')) return answer
  const { tokens, checks: more } = browserTokens(values)
  return { ...answer, tokens, checks: [...answer.checks, ...more] }
}
