import type { Exchange } from '../../protocol/http/exchange.js'
import { header } from '../../protocol/http/message.js'
import { refusalIn } from '../../protocol/oauth/answers.js'
import { type Check, check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'

/** Reads a revocation answer, whose body has no meaning (RFC 7009 §2.2). @throws OAuthError, UnreadableAnswer */
export function readRevocation(exchange: Exchange): readonly Check[] {
  const { response } = exchange
  if (response?.status === 200) {
    return [check('status', true, 'RFC 7009 §2.2', '200: revoked, or never good')]
  }
  if (response?.status === 503) {
    const wait = header(response, 'retry-after')
    const when = wait === undefined ? '' : `; try again after ${wait}`
    const description = `the revocation endpoint cannot revoke it now (503): the token still counts${when}`
    throw new OAuthError('temporarily_unavailable', { description, rule: 'RFC 7009 §2.2' })
  }
  throw refusalIn(exchange, 'the revocation endpoint')
}
