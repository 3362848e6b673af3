import { bounded } from '../../protocol/events.js'
import type { Check } from '../../protocol/oauth/check.js'
import type { BearerErrorCode, DpopErrorCode } from '../../protocol/oauth/oauth-error.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../protocol/rules/rule.js'

const problems: Readonly<Record<string, string>> = {
  signature: 'the signature is not accepted',
  iss: 'the token is not from the issuer this server trusts',
  aud: 'the token is not for this server',
  exp: 'the token is no longer valid',
  nbf: 'the token is not valid yet',
  iat: 'the token is not valid yet',
}

/** Returns the error for the first check that failed; undefined when all checks passed (RFC 6750 §3.1). */
export function refusalOf(checks: readonly Check[]): OAuthError | undefined {
  const broken = checks.find(each => !each.ok)
  if (broken === undefined) return undefined
  const { name, rule, detail = 'wrong' } = broken
  const problem = problems[name]
  return invalidToken(`${problem === undefined ? '' : `${problem}; `}${name}: ${bounded(detail)}`, rule)
}

/** Returns the error for a token that is not accepted (RFC 6750 §3.1). */
export function invalidToken(description: string, rule: Citation): OAuthError {
  return refused('invalid_token', description, rule)
}

/** Returns an error of the resource server. */
export function refused(
  code: BearerErrorCode | DpopErrorCode,
  description: string,
  rule: Citation,
): OAuthError {
  return new OAuthError(code, { description, rule })
}
