import type { Exchange } from '../http/exchange.js'
import { header } from '../http/message.js'
import { lacksChallenge } from './challenges.js'
import { type Check, check, shown } from './check.js'
import type { JsonObject } from './json-object.js'
import { OAuthError } from './oauth-error.js'
import { jsonObject } from './token.js'

/** The claims of a userinfo response. */
export interface Userinfo {
  readonly sub: string
  readonly claims: JsonObject
  readonly checks: readonly Check[]
}

const RULE = 'OpenID Connect Core §5.3.2'

/**
 * Reads the claims of a userinfo response. Their subject is not compared with that of an id_token.
 * @throws OAuthError, UnreadableAnswer
 */
export function userinfoClaims(exchange: Exchange): JsonObject {
  const { response } = exchange
  if (response?.status === 200) return jsonObject(exchange, 'userinfo', RULE)
  const challenge = response && header(response, 'www-authenticate')
  const reason = lacksChallenge(exchange)
    ? ' without a WWW-Authenticate header, so it names no problem'
    : challenge === undefined
      ? ''
      : `: ${challenge}`
  throw new OAuthError('invalid_response', {
    description: `userinfo answered ${response?.status}${reason}`,
    rule: 'OpenID Connect Core §5.3.3',
  })
}

/**
 * Reads a userinfo response and compares its subject with the one that logged in (OpenID Connect Core §5.3.2).
 * @throws OAuthError, UnreadableAnswer
 */
export function readUserinfo(exchange: Exchange, subject: string | undefined): Userinfo {
  const claims = userinfoClaims(exchange)
  const { sub } = claims
  if (typeof sub === 'string' && sub === subject) {
    return { sub, claims, checks: [check('sub', true, RULE, sub)] }
  }
  throw new OAuthError('subject_mismatch', {
    description: `userinfo is about ${shown(sub)}, the id_token about ${shown(subject)}`,
    rule: RULE,
  })
}
