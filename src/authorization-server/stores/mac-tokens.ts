import type { MacAlgorithm } from '../../oauth/mac.js'
import { createExpiringMap } from './expiring-map.js'

/** The content behind the id of a token of type `mac`. */
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

/** Largest number of kept tokens; the oldest are forgotten. */
const MAX_TOKENS = 10_000

/** The options that make and keep them. */
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
