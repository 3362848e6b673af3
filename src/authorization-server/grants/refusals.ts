import { OAuthError, type OAuthErrorDetail } from '../../oauth/oauth-error.js'

/** The credentials of a token request are not good for tokens (RFC 6749 §5.2). */
export function invalidGrant(
  description: string,
  rule: string,
  evidence?: string,
): OAuthError<'invalid_grant'> {
  return new OAuthError('invalid_grant', detail(description, rule, evidence))
}

/** A token request is malformed (RFC 6749 §5.2). */
export function invalidRequest(
  description: string,
  rule: string,
  evidence?: string,
): OAuthError<'invalid_request'> {
  return new OAuthError('invalid_request', detail(description, rule, evidence))
}

function detail(description: string, rule: string, evidence: string | undefined): OAuthErrorDetail {
  return evidence === undefined ? { description, rule } : { description, rule, evidence }
}

/**
 * The value of a parameter that must be there.
 * @throws OAuthError `invalid_request`
 */
export function required(value: string | undefined, name: string, rule: string): string {
  if (value !== undefined) return value
  throw invalidRequest(`${name} is missing`, rule)
}
