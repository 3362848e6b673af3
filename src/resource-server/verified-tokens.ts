import type { Verdict, VerificationKeys } from '../tokens/verify.js'

/** Remembers whose signature was good, as long as the keys are the same: clients send one token many times. */
export interface VerifiedTokens {
  get(token: string, keys: VerificationKeys): Verdict | undefined
  add(token: string, keys: VerificationKeys, verdict: Verdict): void
}

/** Forgets everything when `limit` tokens are kept, or when other keys come. Claims are not for it to judge. */
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
