import { MAC_DRAFT, type MacAlgorithm } from '../../oauth/mac.js'
import { OAuthError } from '../../oauth/oauth-error.js'
import { createExpiringMap } from '../stores/expiring-map.js'
import { type AccessToken, type ReadAccessToken, readClaims } from './access-tokens.js'

/** What stands behind the id of a token of type `mac`. */
export interface MacToken {
  /** `mac_key` of the token response. */
  readonly key: string
  readonly algorithm: MacAlgorithm
  /** Milliseconds since the epoch: ages in nonces count from here. */
  readonly issuedAt: number
  /** The claims a JWT would have. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** Tokens of type `mac`. Such a token says nothing itself, and its key cannot be published, so both are kept. */
export interface MacTokens {
  /**
   * Makes a token.
   * @param claims what it stands for
   * @param isRevoked asked at each look-up
   * @returns the token, which is the key's id, and its key
   */
  issue(claims: MacToken['claims'], isRevoked: () => boolean): MacToken & { readonly id: string }
  /** Undefined for an unknown, forgotten or revoked one. Its claims say when it expires. */
  find(id: string): MacToken | undefined
}

/** At most so many are kept; the oldest are forgotten. */
const MAX_TOKENS = 10_000

/** What makes and keeps them. */
export interface MacTokensOptions {
  /** Milliseconds for which a token has to be kept. */
  readonly lifetime: number
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}

/** Makes an empty store, to be shared by the server that issues and the one that accepts. */
export function createMacTokens({ lifetime, now, random }: MacTokensOptions): MacTokens {
  const tokens = createExpiringMap<MacToken & { isRevoked: () => boolean }>({
    ...{ lifetime, now, limit: MAX_TOKENS },
  })
  const text = (length: number) => Buffer.from(random(length)).toString('base64url')
  return {
    issue(claims, isRevoked) {
      const id = text(16)
      const token = { key: text(32), algorithm: 'hmac-sha-256' as const, issuedAt: now(), claims }
      tokens.set(id, { ...token, isRevoked })
      return { id, ...token }
    },
    find(id) {
      const found = tokens.get(id)
      if (found === undefined || found.isRevoked()) return undefined
      const { isRevoked: _, ...token } = found
      return token
    },
  }
}

/**
 * Reads `token_type` of a token request, by which a client asks for a token of type `mac`. The draft leaves it open
 * how a server learns what a client wants.
 * @throws OAuthError `invalid_request`
 */
export function wantedTokenType(
  asked: string | undefined,
  { offered, jkt }: { readonly offered: boolean; readonly jkt: string | undefined },
): 'mac' | undefined {
  const refused = (description: string, rule: string) =>
    new OAuthError('invalid_request', { description, rule })
  const type = asked?.toLowerCase()
  if (type === undefined || type === 'bearer') return undefined
  if (type !== 'mac' || !offered) {
    const known = offered ? 'Bearer or mac' : 'Bearer'
    throw refused(`token_type must be ${known}, or left out`, 'RFC 6749 §7.1')
  }
  if (jkt === undefined) return type
  throw refused('a token of type mac has its own key: send no DPoP proof', `${MAC_DRAFT} §5.1`)
}

/** A reader that knows tokens of type `mac` too, for endpoints to which a token is only shown, not presented. */
export function withMacTokens(
  readAccessToken: ReadAccessToken,
  { tokens, now }: { readonly tokens: MacTokens | undefined; readonly now: () => number },
): ReadAccessToken {
  return async token => {
    const found = tokens?.find(token)
    const read: AccessToken | undefined = found && readClaims(found.claims)
    if (read === undefined || read.expiresAt * 1000 <= now()) return readAccessToken(token)
    return { ...read, tokenType: 'mac' }
  }
}
