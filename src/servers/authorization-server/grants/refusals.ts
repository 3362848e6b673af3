import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'

/** Returns the error for a code, token or assertion that the server does not accept (RFC 6749 §5.2). */
export function invalidGrant(
  description: string,
  rule: Citation,
  evidence?: string,
): OAuthError<'invalid_grant'> {
  return new OAuthError('invalid_grant', { description, rule, evidence })
}

/** Returns the error for a malformed token request (RFC 6749 §5.2). */
export function invalidRequest(
  description: string,
  rule: Citation,
  evidence?: string,
): OAuthError<'invalid_request'> {
  return new OAuthError('invalid_request', { description, rule, evidence })
}

/**
 * Returns the value of a required parameter.
 * @throws OAuthError `invalid_request` when it is missing
 */
export function required(value: string | undefined, name: string, rule: Citation): string {
  if (value !== undefined) return value
  throw invalidRequest(`${name} is missing`, rule)
}
