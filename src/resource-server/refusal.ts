import { bounded } from '../events/outside-text.js'
import type { Check } from '../oauth/check.js'
import type { BearerErrorCode, DpopErrorCode } from '../oauth/error-codes.js'
import { MAC_DRAFT } from '../oauth/mac.js'
import { OAuthError } from '../oauth/oauth-error.js'

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
export function invalidToken(description: string, rule: string): OAuthError {
  return refused('invalid_token', description, rule)
}

/** Returns an error whose `error_uri` is the address of the broken rule. */
export function refused(
  code: BearerErrorCode | DpopErrorCode,
  description: string,
  rule: string,
): OAuthError {
  return new OAuthError(code, { description, rule, uri: ruleUri(rule) })
}

/** Returns the URL of a rule such as `RFC 6750 §3.1`; undefined for a rule of another form. */
export function ruleUri(rule: string): string | undefined {
  const [, name = '', section = ''] = /^(.+) §([0-9.]+)$/.exec(rule) ?? []
  if (name === MAC_DRAFT) return `https://datatracker.ietf.org/doc/html/${MAC_DRAFT}#section-${section}`
  const rfc = /^RFC (\d+)$/.exec(name)?.[1]
  return rfc === undefined ? undefined : `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${section}`
}
