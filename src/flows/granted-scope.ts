import type { Check } from '../oauth/check.js'
import { check } from '../oauth/check.js'
import { OAuthError } from '../oauth/oauth-error.js'
import { parseScope, sameScope } from '../oauth/scope.js'

/** Returns the scope of a token: the scope in the response, else the requested scope (RFC 6749 §5.1). */
export function grantedScope(asked: string | undefined, answered: string | undefined): string | undefined {
  return answered ?? asked
}

/**
 * Compares the scope that was asked for with the one that was granted (RFC 6749 §3.3).
 * @throws OAuthError where the answer's scope is malformed
 */
export function scopeCheck(asked: string | undefined, answered: string | undefined): Check {
  const rule = 'RFC 6749 §3.3'
  if (answered === undefined) {
    return asked === undefined
      ? check('scope', true, rule, 'none asked for, none named')
      : check('scope', true, rule, `as asked: ${asked}`)
  }
  const granted = parseScope(answered)
  if (granted === undefined) {
    throw new OAuthError('invalid_response', { description: `the scope is malformed: ${answered}`, rule })
  }
  if (asked === undefined) return check('scope', true, rule, `by default: ${answered}`)
  const same = sameScope(granted, parseScope(asked) ?? [])
  return check('scope', true, rule, same ? `as asked: ${answered}` : `not as asked: ${answered}`)
}
