import { type HttpResponse, redirectResponse } from '../http/message.js'
import { errorParameters, type OAuthError } from '../oauth/oauth-error.js'
import { type ResponsePairs, withQuery } from '../oauth/redirect-uri.js'
import type { ReturnAddress } from './authorization-request.js'

/**
 * Sends the user agent back to the client: the parameters, then `state`, and `iss` in every response (RFC 6749
 * §4.1.2, RFC 9207 §2).
 */
export function redirectBack(to: ReturnAddress, issuer: string, pairs: ResponsePairs): HttpResponse {
  const location = withQuery(to.redirectUri, [...pairs, ['state', to.state], ['iss', issuer]])
  return redirectResponse(location, [['cache-control', 'no-store']])
}

/** Tells the client why not (RFC 6749 §4.1.2.1). */
export function redirectError(to: ReturnAddress, issuer: string, error: OAuthError): HttpResponse {
  return redirectBack(to, issuer, errorParameters(error))
}
