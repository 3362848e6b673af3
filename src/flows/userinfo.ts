import type { Exchange } from '../http/exchange.js'
import { header } from '../http/message.js'
import type { Check } from '../oauth/check.js'
import { check, shown } from '../oauth/check.js'
import { OAuthError } from '../oauth/oauth-error.js'
import { jsonObject } from '../oauth/token.js'
import { lacksChallenge } from './challenge.js'

/**
 * Reads the userinfo response and holds its subject against the one that logged in (OpenID Connect Core §5.3.2).
 * @throws OAuthError, UnreadableAnswer
 */
export function readUserinfo(
  exchange: Exchange,
  subject: string | undefined,
): { sub: string; checks: readonly Check[] } {
  const rule = 'OpenID Connect Core §5.3.2'
  const { response } = exchange
  if (response?.status !== 200) {
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
  const { sub } = jsonObject(exchange, 'userinfo', rule)
  if (typeof sub !== 'string' || sub !== subject) {
    throw new OAuthError('subject_mismatch', {
      description: `userinfo is about ${shown(sub)}, the id_token about ${shown(subject)}`,
      rule,
    })
  }
  return { sub, checks: [check('sub', true, rule, sub)] }
}
