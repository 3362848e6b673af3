import { type HttpResponse, redirectResponse } from '../../http/message.js'
import {
  type ResponsePairs,
  type VerifiedRedirectUri,
  withFragment,
  withQuery,
} from '../../oauth/redirect-uri.js'

/**
 * The address that the reference redirects to: any address in the request. Elsewhere only a comparison with the
 * registered addresses makes a VerifiedRedirectUri; this is the open redirect which that type is there to prevent.
 */
function unchecked(redirectUri: string): VerifiedRedirectUri {
  // What no header can carry is percent-encoded: one response stays one response.
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
