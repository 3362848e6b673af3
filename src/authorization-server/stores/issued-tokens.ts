import { createExpiringMap } from './expiring-map.js'

/** An access token that was issued. */
interface Issued {
  readonly jti: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Everything issued from one authorization of a user; it is revoked together. Kept for every code: it is small. */
export interface Family {
  revoked: boolean
  /** Its access tokens, oldest first. Expired ones are dropped. */
  accessTokens: Issued[]
}

/** Which tokens were revoked before their time. Access tokens carry all else in themselves. */
export interface IssuedTokens {
  family(): Family
  /** Takes an access token into its family; one that is revoked already takes the token with it. */
  add(family: Family, jti: string): void
  revoke(jti: string): void
  /** Revokes a family. Returns the `jti`s revoked by this. */
  revokeFamily(family: Family): readonly string[]
  isRevoked(jti: string): boolean
}

/** Largest number of remembered revocations. */
const MAX_REVOCATIONS = 100_000

/** @param options.lifetime of an access token in milliseconds: after it a family may drop it */
export function createIssuedTokens(options: {
  readonly lifetime: number
  readonly now: () => number
}): IssuedTokens {
  const { lifetime, now } = options
  // Forgotten by number alone: after a clock went forward and back, what it revoked before must not be good again.
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
      // Most have one for ever; an array that was pushed to has room for many.
      if (accessTokens.length === 0) family.accessTokens = [{ jti, at }]
      else accessTokens.push({ jti, at })
      if (family.revoked) revoke(jti)
    },
    revokeFamily(family) {
      family.revoked = true
      const alive = family.accessTokens.map(({ jti }) => jti).filter(jti => !isRevoked(jti))
      for (const jti of alive) revoke(jti)
      return alive
    },
  }
}
