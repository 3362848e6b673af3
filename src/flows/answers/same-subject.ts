import { type Check, check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { decodeIfJwt } from './verify-tokens.js'

function subjectOf({ id_token: idToken, access_token: accessToken }: TokenResponse): string | undefined {
  const readable = (idToken === undefined ? undefined : decodeIfJwt(idToken)) ?? decodeIfJwt(accessToken)
  const sub = readable?.claims.sub
  return typeof sub === 'string' ? sub : undefined
}

/** Compares the subjects of old and new tokens, where both can be read. @throws OAuthError when they differ */
export function sameSubject(before: TokenResponse, after: TokenResponse, rule: Citation): Check[] {
  const [was, is] = [subjectOf(before), subjectOf(after)]
  if (was === undefined || is === undefined) return []
  if (was === is) return [check('sub', true, rule, `still ${is}`)]
  throw new OAuthError('subject_mismatch', {
    description: `the new tokens are about ${is}, the old ones about ${was}`,
    rule,
  })
}
