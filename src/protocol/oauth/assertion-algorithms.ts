import { ASYMMETRIC_ALGORITHMS } from './asymmetric-algorithms.js'

/** HMAC algorithms of `client_secret_jwt`, with the fewest bytes of the secret that each needs (RFC 7518 §3.2). */
const LEAST_BYTES = { HS256: 32, HS384: 48, HS512: 64 } as const

/** An HMAC algorithm, whose key is the secret of a client. */
export type SecretAlgorithm = keyof typeof LEAST_BYTES

/** The HMAC algorithms, weakest first. */
const SECRET_ALGORITHMS = Object.keys(LEAST_BYTES) as readonly SecretAlgorithm[]

/** The algorithms of client assertions (OpenID Connect Core §9): by a key of the client, or by its secret. */
export const CLIENT_ASSERTION_ALGORITHMS = [...ASYMMETRIC_ALGORITHMS, ...SECRET_ALGORITHMS] as const

/** The algorithm of a client's assertions. */
export type ClientAssertionAlgorithm = (typeof CLIENT_ASSERTION_ALGORITHMS)[number]

/** True for an algorithm whose key is the secret of the client. */
export function isSecretAlgorithm(alg: unknown): alg is SecretAlgorithm {
  return SECRET_ALGORITHMS.some(each => each === alg)
}

/** Returns the algorithms that a secret is long enough for. */
export function algorithmsOfSecret(secret: string): readonly SecretAlgorithm[] {
  const bytes = Buffer.byteLength(secret)
  return SECRET_ALGORITHMS.filter(alg => bytes >= LEAST_BYTES[alg])
}
