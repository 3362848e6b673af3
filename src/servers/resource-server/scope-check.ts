import { refused } from './refusal.js'

/** An accepted token and its scope. */
export interface ScopedToken {
  readonly claims: Readonly<Record<string, unknown>>
  readonly scope: readonly string[]
}

/**
 * Checks that a token has every scope value that a route needs.
 * @throws OAuthError `insufficient_scope` (RFC 6750 §3.1)
 */
export function requireScope({ scope: granted }: ScopedToken, needed = ''): void {
  const missing = needed.split(' ').filter(each => each !== '' && !granted.includes(each))
  if (missing.length === 0) return
  const had = granted.length === 0 ? 'the token has no scope' : `the token has ${granted.join(' ')}`
  throw refused(
    'insufficient_scope',
    `the scope ${missing.join(' ')} is needed here; ${had}`,
    'RFC 6750 §3.1',
  )
}
