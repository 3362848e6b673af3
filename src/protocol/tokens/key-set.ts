import type { Exchange } from '../http/exchange.js'
import { OAuthError } from '../oauth/oauth-error.js'
import { jsonObject, UnreadableAnswer } from '../oauth/token.js'
import type { JwkSet } from './keys.js'

/**
 * Reads the answer of a jwks_uri (RFC 7517 §5).
 * @throws OAuthError, UnreadableAnswer
 */
export function readKeySet(exchange: Exchange): JwkSet {
  const rule = 'RFC 7517 §5'
  const { status, headers = [] } = exchange.response ?? {}
  if (status !== 200) {
    // A redirect is not followed: keys from another place would be trusted as if this one had them.
    const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
    const to = location === undefined ? '' : `, and names ${location}`
    throw new OAuthError('invalid_response', { description: `jwks_uri answered ${status}${to}`, rule })
  }
  const { keys } = jsonObject(exchange, 'jwks_uri', rule)
  if (!Array.isArray(keys) || !keys.every(key => typeof key === 'object' && key !== null)) {
    throw new UnreadableAnswer('invalid_response', { description: 'jwks_uri answered no set of keys', rule })
  }
  return { keys }
}
