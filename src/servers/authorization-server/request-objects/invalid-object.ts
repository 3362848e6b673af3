import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'

/** Makes the error for a bad request object (RFC 9101 §7, OpenID Connect Core §3.1.2.6). */
export function invalidObject(
  description: string,
  { rule, evidence }: { readonly rule: Citation; readonly evidence?: string | undefined },
): OAuthError<'invalid_request_object'> {
  return new OAuthError('invalid_request_object', { description, rule, evidence })
}

/** Makes the error for a bad request_uri. */
export function invalidUri(
  description: string,
  { rule, evidence }: { readonly rule: Citation; readonly evidence?: string | undefined },
): OAuthError<'invalid_request_uri'> {
  return new OAuthError('invalid_request_uri', { description, rule, evidence })
}
