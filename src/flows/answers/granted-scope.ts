import type { Check } from '../../protocol/oauth/check.js'
import { advice, check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { parseScope, sameScope } from '../../protocol/oauth/scope.js'

/** Returns the scope in the response, else the requested scope (RFC 6749 §5.1). */
export function grantedScope(asked: string | undefined, answered: string | undefined): string | undefined {
  return answered ?? asked
}

/** Compares the requested with the granted scope (RFC 6749 §3.3). @throws OAuthError for a malformed scope */
export function scopeCheck(asked: string | undefined, answered: string | undefined): Check {
  const rule = 'RFC 6749 §3.3'
  if (answered === undefined) {
    return asked === undefined
      ? check('scope', true, rule, 'none asked for, none named')
      : check('scope', true, rule, `as asked: ${asked}`)
  }
  const granted = readGranted(asked, answered)
  if (granted === undefined) {
    throw new OAuthError('invalid_response', { description: `the scope is malformed: ${answered}`, rule })
  }
  if (asked === undefined) return check('scope', true, rule, `by default: ${answered}`)
  const wanted = parseScope(asked) ?? []
  if (sameScope(granted, wanted)) {
    if (sameScope(granted, parseScope(answered) ?? []))
      return check('scope', true, rule, `as asked: ${answered}`)
    return advice('scope', false, rule, `as asked, with commas where spaces belong: ${answered}`)
  }
  const [missing, added] = [without(wanted, granted), without(granted, wanted)]
  const how =
    added.length === 0 ? 'narrower than asked' : missing.length === 0 ? 'wider than asked' : 'not as asked'
  const lacks = missing.length === 0 ? '' : `, without ${missing.join(' ')}`
  return check('scope', true, rule, `${how}: ${answered}${lacks}`)
}

/** GitHub and Slack separate scope tokens by commas, which a token may also hold. */
function readGranted(asked: string | undefined, answered: string): readonly string[] | undefined {
  return parseScope(asked?.includes(',') ? answered : answered.replaceAll(',', ' '))
}

const without = (these: readonly string[], those: readonly string[]): readonly string[] =>
  these.filter(each => !those.includes(each))

export function missingScope(asked: string | undefined, answered: string | undefined): string | undefined {
  const granted = answered === undefined ? undefined : readGranted(asked, answered)
  if (asked === undefined || granted === undefined) return undefined
  const missing = without(parseScope(asked) ?? [], granted)
  return missing.length === 0 ? undefined : `without scope ${missing.join(' ')}`
}
