import { type HeaderList, type HttpResponse, redirectResponse } from '../../../http/message.js'
import type { AuthorizationErrorCode } from '../../../oauth/error-codes.js'
import { errorParameters, type OAuthError } from '../../../oauth/oauth-error.js'
import { type ResponsePairs, withFragment, withQuery } from '../../../oauth/redirect-uri.js'
import { formPostPage } from '../../pages/form-post-page.js'
import type { ReturnAddress } from './authorization-request.js'

/**
 * Sends the user agent back to the client with the parameters, `state`, and `iss`, which is in every response
 * (RFC 6749 §4.1.2, §4.2.2; RFC 9207 §2).
 * @param issuer the value of `iss`
 */
export function redirectBack(
  { redirectUri, state, mode }: ReturnAddress,
  issuer: string | undefined,
  answer: ResponsePairs,
  headers: HeaderList = [],
): HttpResponse {
  const pairs = [...answer, ['state', state], ['iss', issuer]] as const
  if (mode === 'form_post') return formPostPage(redirectUri, pairs, headers)
  const location = mode === 'fragment' ? withFragment(redirectUri, pairs) : withQuery(redirectUri, pairs)
  return redirectResponse(location, [['cache-control', 'no-store'], ...headers])
}

/** Sends an error to the client (RFC 6749 §4.1.2.1, §4.2.2.1). */
export function redirectError(
  to: ReturnAddress,
  issuer: string | undefined,
  error: OAuthError<AuthorizationErrorCode>,
): HttpResponse {
  return redirectBack(to, issuer, errorParameters(error))
}
