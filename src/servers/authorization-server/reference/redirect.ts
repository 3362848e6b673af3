import { type HttpResponse, redirectResponse } from '../../../protocol/http/message.js'
import {
  type ResponsePairs,
  type VerifiedRedirectUri,
  withFragment,
  withQuery,
} from '../../../protocol/oauth/redirect-uri.js'

/**
 * Converts any address to a VerifiedRedirectUri. In the standard profile only a match with the registered addresses
 * makes one, which prevents an open redirect. The reference has that open redirect, so this cast is deliberate.
 */
function unchecked(redirectUri: string): VerifiedRedirectUri {
  // Percent-encode every character that a header cannot carry, or it could split the response.
  const written = redirectUri.replace(/[^\x21-\x7e]+/gu, text => encodeURIComponent(text.toWellFormed()))
  return written.split('#', 1)[0] as VerifiedRedirectUri
}

/** A 302 with the parameters in the query (response_type code) or in the fragment (token). */
export function referenceRedirect(
  redirectUri: string,
  place: 'query' | 'fragment',
  pairs: ResponsePairs,
): HttpResponse {
  const write = place === 'query' ? withQuery : withFragment
  return redirectResponse(write(unchecked(redirectUri), pairs), [['cache-control', 'no-store']])
}
