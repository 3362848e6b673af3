import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import type { MacAlgorithm } from '../../../protocol/oauth/mac.js'

/** The data of a token of type `mac`. */
export interface MacToken {
  /** `mac_key` of the token response. */
  readonly key: string
  readonly algorithm: MacAlgorithm
  /** Milliseconds since the epoch. The ages in nonces count from this time. */
  readonly issuedAt: number
  /** The claims that a JWT would carry. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** The store of tokens of type `mac`. Such a token carries no claims, and its key cannot be published. */
export interface MacTokens {
  /**
   * Makes a token.
   * @param claims the claims of the token
   * @param isRevoked called at each look-up
   * @returns the token, which is the id of its key, and the key
   */
  issue(claims: MacToken['claims'], isRevoked: () => boolean): MacToken & { readonly id: string }
  /** Returns a token; undefined when it is unknown, dropped or revoked. Its claims say when it expires. */
  find(id: string): MacToken | undefined
}

/** Most tokens of a client. Its oldest are dropped. */
const MAX_TOKENS = 10_000

/** Most bytes of them. */
const MAX_BYTES = 32 * 1024 * 1024

export interface MacTokensOptions {
  /** Shortest time that a token is kept, in milliseconds. */
  readonly lifetime: number
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}

/** Makes an empty store. The authorization server and the resource server share it. */
export function createMacTokens({ lifetime, now, random }: MacTokensOptions): MacTokens {
  const tokens = createExpiringMap<MacToken & { isRevoked: () => boolean }>({
    lifetime,
    now,
    limit: MAX_TOKENS,
    maxBytes: MAX_BYTES,
  })
  const text = (length: number) => Buffer.from(random(length)).toString('base64url')
  return {
    issue(claims, isRevoked) {
      const id = text(16)
      const token = { key: text(32), algorithm: 'hmac-sha-256' as const, issuedAt: now(), claims }
      tokens.set(id, { ...token, isRevoked }, String(claims.client_id))
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
