import { OAuthError } from '../../oauth/oauth-error.js'

/** What was presented is not good for tokens (RFC 6749 §5.2). */
export function invalidGrant(description: string, rule: string, evidence?: string): OAuthError {
  return new OAuthError('invalid_grant', {
    description,
    rule,
    ...(evidence === undefined ? {} : { evidence }),
  })
}

/**
 * The value of a parameter that must be there.
 * @throws OAuthError `invalid_request`
 */
export function required(value: string | undefined, name: string, rule: string): string {
  if (value !== undefined) return value
  throw new OAuthError('invalid_request', { description: `${name} is missing`, rule })
}
