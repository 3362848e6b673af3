import { createKeptMap } from '../../../protocol/bounded-maps.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Family } from '../model.js'

/** The store of revocations. It keeps no token data: access tokens carry their data in their claims. */
export interface IssuedTokens {
  /** @param owner the client of its tokens */
  family(owner: string): Family
  /** Returns the `jti` of a new access token of a family. If the family is revoked, the token is revoked too. */
  add(family: Family): string
  /**
   * Revokes a token.
   * @param owner the client of the token
   * @param until end of the token, in milliseconds since the epoch
   * @throws OAuthError `temporarily_unavailable` when the client has revoked too many tokens that have not ended
   */
  revoke(jti: string, owner: string, until: number): void
  /**
   * Revokes all tokens of a family. Returns the `jti`s of its latest tokens, unless it was revoked before.
   * @throws OAuthError `temporarily_unavailable` when its client has revoked too many families that have not ended
   */
  revokeFamily(family: Family): readonly string[]
  isRevoked(jti: string): boolean
}

/** Most revoked tokens, and most revoked families, of a client. */
export const MAX_REVOCATIONS = 100_000

/** Most bytes of each. A revocation holds about 150 bytes. */
const MAX_BYTES = 32 * 1024 * 1024

/** Most tokens of a family that events name. */
const NAMED_TOKENS = 20

/** Random bytes of a family's id, and of a token's part of its `jti`: 128 bits together. */
const FAMILY_BYTES = 9
const TOKEN_BYTES = 7

/** Characters of a family's id in base64url. */
const ID_LENGTH = (FAMILY_BYTES * 4) / 3

/** @param options.lifetime of an access token in milliseconds */
export function createIssuedTokens(options: {
  readonly lifetime: number
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): IssuedTokens {
  const { lifetime, now, random } = options
  const bounds = { limit: MAX_REVOCATIONS, maxBytes: MAX_BYTES, now }
  const tokens = createKeptMap<true>(bounds)
  const families = createKeptMap<true>(bounds)
  const text = (length: number) => Buffer.from(random(length)).toString('base64url')
  const isRevoked = (jti: string) =>
    tokens.get(jti) !== undefined || families.get(jti.slice(0, ID_LENGTH)) !== undefined

  /** Revokes a family until the last of its tokens has ended. */
  function revokeAll({ id, owner }: Family): void {
    if (!families.set(id, true, owner, now() + lifetime)) throw tooFull()
  }

  return {
    isRevoked,
    revoke(jti, owner, until) {
      if (!tokens.set(jti, true, owner, until)) throw tooFull()
    },
    family: owner => ({ id: text(FAMILY_BYTES), owner, revoked: false, latest: [] }),
    add(family) {
      const at = now()
      const jti = `${family.id}${text(TOKEN_BYTES)}`
      if (family.revoked) revokeAll(family)
      const valid = family.latest.filter(each => at < each.at + lifetime)
      // A literal uses less memory than an array that `push` has grown.
      family.latest = [...valid.slice(1 - NAMED_TOKENS), { jti, at }]
      return jti
    },
    revokeFamily(family) {
      const before = family.revoked
      // Its refresh token is worthless from now on, even when the store is full.
      family.revoked = true
      const newlyRevoked = before ? [] : family.latest.map(({ jti }) => jti).filter(jti => !isRevoked(jti))
      revokeAll(family)
      return newlyRevoked
    },
  }
}

/** Returns the error for a request of a client that has no room in a store (RFC 6749 §4.1.2.1, RFC 7009 §2.2.1). */
export function tooFull(): OAuthError<'temporarily_unavailable'> {
  return new OAuthError('temporarily_unavailable', {
    description: 'this server holds as much of this client as it can; try again later',
    rule: 'RFC 9110 §15.6.4',
  })
}
