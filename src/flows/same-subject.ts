import { type Check, check } from '../oauth/check.js'
import { OAuthError } from '../oauth/oauth-error.js'
import type { TokenResponse } from '../oauth/token.js'
import { decodeIfJwt } from './verify-tokens.js'

/** The subject of tokens, as far as they can be read. */
function subjectOf({ id_token: idToken, access_token: accessToken }: TokenResponse): string | undefined {
  const readable = (idToken === undefined ? undefined : decodeIfJwt(idToken)) ?? decodeIfJwt(accessToken)
  const sub = readable?.claims.sub
  return typeof sub === 'string' ? sub : undefined
}

/**
 * Holds the subject of new tokens against the one of those they were traded for.
 * @returns nothing to show where either cannot be read
 * @throws OAuthError where it is another one
 */
export function sameSubject(before: TokenResponse, after: TokenResponse, rule: string): Check[] {
  const [was, is] = [subjectOf(before), subjectOf(after)]
  if (was === undefined || is === undefined) return []
  if (was === is) return [check('sub', true, rule, `still ${is}`)]
  throw new OAuthError('subject_mismatch', {
    description: `the new tokens are about ${is}, the old ones about ${was}`,
    rule,
  })
}
