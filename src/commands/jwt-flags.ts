import type { VerificationKeys } from '../tokens/verify.js'

/** Options of `jwt verify`, and of `jwt decode` where it has them. */
export interface JwtFlags {
  readonly audience?: string
  readonly issuer?: string
  readonly jwks?: string
  readonly key?: string
  readonly secretStdin?: true
}

/** Keys to verify with, and what else their source says of good tokens. */
export interface FoundKeys {
  readonly keys: VerificationKeys
  readonly issuer?: string
  /** Remarks on the keys themselves. */
  readonly notes?: readonly string[]
}
