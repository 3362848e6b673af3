import { type HeaderList, type HttpResponse, redirectResponse } from '../../../http/message.js'
import type { AuthorizationErrorCode } from '../../../oauth/error-codes.js'
import { errorParameters, type OAuthError } from '../../../oauth/oauth-error.js'
import {
  type ResponsePairs,
  type VerifiedRedirectUri,
  withFragment,
  withQuery,
} from '../../../oauth/redirect-uri.js'
import { formPostPage } from '../../pages/form-post-page.js'
import type { ResponseMode } from '../../parameters/response-type.js'
import type { ReturnAddress } from './authorization-request.js'

/** Sends a response to its address in one response mode. */
type Deliver = (to: VerifiedRedirectUri, pairs: ResponsePairs, headers: HeaderList) => HttpResponse

/** Returns a redirect to an address with the response in it. */
const redirected = (location: string, headers: HeaderList): HttpResponse =>
  redirectResponse(location, [['cache-control', 'no-store'], ...headers])

/** The response modes (OAuth 2.0 Multiple Response Type Encoding Practices §2.1, Form Post Response Mode §2). */
const DELIVERIES: Readonly<Record<ResponseMode, Deliver>> = {
  query: (to, pairs, headers) => redirected(withQuery(to, pairs), headers),
  fragment: (to, pairs, headers) => redirected(withFragment(to, pairs), headers),
  form_post: formPostPage,
}

/**
 * Sends the user agent back to the client with the parameters, `state`, and `iss`, which is in every response
 * (RFC 6749 §4.1.2, §4.2.2; RFC 9207 §2).
 * @param issuer the value of `iss`
 */
export function redirectBack(
  { redirectUri, state, mode, seeOther }: ReturnAddress,
  issuer: string | undefined,
  answer: ResponsePairs,
  headers: HeaderList = [],
): HttpResponse {
  const response = DELIVERIES[mode](redirectUri, [...answer, ['state', state], ['iss', issuer]], headers)
  return seeOther && response.status === 302 ? { ...response, status: 303 } : response
}

/** Sends an error to the client (RFC 6749 §4.1.2.1, §4.2.2.1). */
export function redirectError(
  to: ReturnAddress,
  issuer: string | undefined,
  error: OAuthError<AuthorizationErrorCode>,
): HttpResponse {
  return redirectBack(to, issuer, errorParameters(error))
}
