import { MAC_DRAFT } from '../../../protocol/oauth/mac.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import type { MacTokens } from '../stores/mac-tokens.js'
import { type AccessTokenParts, type ReadAccessToken, readClaims, withOwnNames } from './access-tokens.js'

/**
 * Reads `token_type` of a token request, with which a client asks for a token of type `mac`. The draft does not say how
 * a client asks for one.
 * @throws OAuthError `invalid_request`
 */
export function wantedTokenType(
  asked: string | undefined,
  {
    offered,
    jkt,
    certificateBound = false,
  }: {
    readonly offered: boolean
    readonly jkt: string | undefined
    /** True for a client whose tokens are bound to its certificate. */
    readonly certificateBound?: boolean
  },
): 'mac' | undefined {
  const refused = (description: string, rule: Citation) =>
    new OAuthError('invalid_request', { description, rule })
  const type = asked?.toLowerCase()
  if (type === undefined || type === 'bearer') return undefined
  if (type !== 'mac' || !offered) {
    const known = offered ? 'Bearer or mac' : 'Bearer'
    throw refused(`token_type must be ${known}, or left out`, 'RFC 6749 §7.1')
  }
  if (certificateBound) {
    throw refused('tokens of this client are bound to its certificate: ask for no mac token', 'RFC 8705 §3.4')
  }
  if (jkt === undefined) return type
  throw refused('a token of type mac has its own key: send no DPoP proof', `${MAC_DRAFT} §5.1`)
}

/** Makes a reader that also reads tokens of type `mac`. For endpoints that get a token as a parameter, without a MAC. */
export function withMacTokens(
  readAccessToken: ReadAccessToken,
  {
    tokens,
    now,
    ...names
  }: Pick<AccessTokenParts, 'registry' | 'subjects'> & {
    readonly tokens: MacTokens | undefined
    readonly now: () => number
  },
): ReadAccessToken {
  return async token => {
    const macToken = tokens?.find(token)
    const claims = macToken && readClaims(macToken.claims)
    const read = claims && (await withOwnNames(claims, names))
    if (read === undefined || read.expiresAt * 1000 <= now()) return readAccessToken(token)
    return { ...read, tokenType: 'mac' }
  }
}
