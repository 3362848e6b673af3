import type { VerificationKeys } from '../../protocol/tokens/keys.js'
import type { Verdict } from '../../protocol/tokens/verify.js'

/** A cache of tokens with a verified signature. Clients send the same token many times. */
export interface VerifiedTokens {
  get(token: string, keys: VerificationKeys): Verdict | undefined
  add(token: string, keys: VerificationKeys, verdict: Verdict): void
}

/**
 * Makes a cache for the tokens of one key set. It is emptied when it holds `limit` tokens, and when the keys change.
 * Only the signature is cached: claims depend on the time and are checked for every request.
 */
export function createVerifiedTokens(limit = 256): VerifiedTokens {
  const tokens = new Map<string, Verdict>()
  let by: VerificationKeys | undefined
  return {
    get: (token, keys) => (keys === by ? tokens.get(token) : undefined),
    add(token, keys, verdict) {
      if (keys !== by || tokens.size >= limit) tokens.clear()
      by = keys
      tokens.set(token, verdict)
    },
  }
}
