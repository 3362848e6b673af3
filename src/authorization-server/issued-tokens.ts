import { createExpiringMap } from './expiring-map.js'

/** Everything issued from one authorization of a user; it is revoked together. */
export interface Family {
  revoked: boolean
  /** When each access token was issued, by `jti`: milliseconds since the epoch. Expired ones are dropped. */
  readonly accessTokens: Map<string, number>
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

/** At most so many revocations are remembered. */
const MAX_REVOCATIONS = 100_000

/** @param options.lifetime of an access token in milliseconds: after it a revocation may be forgotten */
export function createIssuedTokens(options: {
  readonly lifetime: number
  readonly now: () => number
}): IssuedTokens {
  const { lifetime, now } = options
  const revoked = createExpiringMap<true>({ ...options, limit: MAX_REVOCATIONS })
  const isRevoked = (jti: string) => revoked.get(jti) !== undefined
  const revoke = (jti: string) => revoked.set(jti, true)
  return {
    isRevoked,
    revoke,
    family: () => ({ revoked: false, accessTokens: new Map() }),
    add(family, jti) {
      const at = now()
      for (const [old, since] of family.accessTokens) {
        if (at < since + lifetime) break
        family.accessTokens.delete(old)
      }
      family.accessTokens.set(jti, at)
      if (family.revoked) revoke(jti)
    },
    revokeFamily(family) {
      family.revoked = true
      const alive = [...family.accessTokens.keys()].filter(jti => !isRevoked(jti))
      for (const jti of alive) revoke(jti)
      return alive
    },
  }
}
