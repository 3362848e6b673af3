import { bounded } from '../../protocol/events.js'
import { type Check, check } from '../../protocol/oauth/check.js'
import { refused } from './refusal.js'
import type { ResourceRoute } from './settings.js'

/** The claims of an accepted token. */
interface Claimed {
  readonly claims: Readonly<Record<string, unknown>>
}

/** The login that a route needs behind a token. */
export type LoginDemand = Pick<ResourceRoute, 'acr_values' | 'max_age'>

const RULE = 'RFC 9470 §3'

/**
 * Checks that the login behind a token is as strong and as new as a route needs (RFC 9470 §3, §6). Returns the checks
 * that passed.
 * @param now milliseconds since the epoch
 * @throws OAuthError `insufficient_user_authentication`
 */
export function requireLogin(
  { claims: { acr, auth_time: authTime } }: Claimed,
  { acr_values: wanted, max_age: maxAge }: LoginDemand,
  now: number,
): readonly Check[] {
  const checks: Check[] = []
  if (wanted !== undefined) {
    const had = typeof acr === 'string' ? `the token has ${bounded(acr)}` : 'the token has none'
    if (typeof acr !== 'string' || !wanted.split(' ').includes(acr)) {
      throw insufficient(`a stronger login is needed here: acr ${wanted.replaceAll(' ', ' or ')}; ${had}`)
    }
    checks.push(check('acr', true, RULE, acr))
  }
  if (maxAge !== undefined) {
    const age = typeof authTime === 'number' ? Math.floor(now / 1000) - authTime : undefined
    const had = age === undefined ? 'the token has no auth_time' : `this one is ${age} s old`
    if (age === undefined || age > maxAge) {
      throw insufficient(`a newer login is needed here: at most ${maxAge} s old; ${had}`)
    }
    checks.push(check('auth_time', true, RULE, `${age} s ago, at most ${maxAge} s`))
  }
  return checks
}

function insufficient(description: string) {
  return refused('insufficient_user_authentication', description, RULE)
}
