import { createExpiringMap } from './expiring-map.js'

/** An issued access token. */
interface Issued {
  readonly jti: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The tokens of one authorization, which are revoked together. Small, because one is kept for every code. */
export interface Family {
  revoked: boolean
  /** Access tokens, oldest first. Expired ones are dropped. */
  accessTokens: Issued[]
}

/** The store of revocations. It keeps no token data: access tokens carry their data in their claims. */
export interface IssuedTokens {
  family(): Family
  /** Adds an access token to a family. If the family is revoked, the token is revoked too. */
  add(family: Family, jti: string): void
  revoke(jti: string): void
  /** Revokes a family. Returns the `jti`s that this call revoked. */
  revokeFamily(family: Family): readonly string[]
  isRevoked(jti: string): boolean
}

/** Most revocations in memory. */
const MAX_REVOCATIONS = 100_000

/** @param options.lifetime of an access token in milliseconds; a family drops older tokens */
export function createIssuedTokens(options: {
  readonly lifetime: number
  readonly now: () => number
}): IssuedTokens {
  const { lifetime, now } = options
  // No lifetime: after a clock went forward and back, a token revoked in between must stay revoked.
  const revoked = createExpiringMap<true>({ lifetime: Number.POSITIVE_INFINITY, limit: MAX_REVOCATIONS, now })
  const isRevoked = (jti: string) => revoked.get(jti) !== undefined
  const revoke = (jti: string) => revoked.set(jti, true)
  return {
    isRevoked,
    revoke,
    family: () => ({ revoked: false, accessTokens: [] }),
    add(family, jti) {
      const at = now()
      const { accessTokens } = family
      while (accessTokens[0] !== undefined && at >= accessTokens[0].at + lifetime) accessTokens.shift()
      // Most families keep one token; a literal uses less memory than an array that `push` has grown.
      if (accessTokens.length === 0) family.accessTokens = [{ jti, at }]
      else accessTokens.push({ jti, at })
      if (family.revoked) revoke(jti)
    },
    revokeFamily(family) {
      family.revoked = true
      const newlyRevoked = family.accessTokens.map(({ jti }) => jti).filter(jti => !isRevoked(jti))
      for (const jti of newlyRevoked) revoke(jti)
      return newlyRevoked
    },
  }
}
