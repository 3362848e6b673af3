import { hash, timingSafeEqual } from 'node:crypto'

/** Returns the digest of a secret, for `secretMatches`. */
export function secretDigest(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer')
}

/** True when two secrets are equal. The time of the comparison depends on neither content nor length. */
export function secretsEqual(a: string, b: string): boolean {
  return secretMatches(a, secretDigest(b))
}

/** True when a secret has this digest. The time of the comparison depends on neither content nor length. */
export function secretMatches(secret: string, digest: Uint8Array): boolean {
  return timingSafeEqual(secretDigest(secret), digest)
}
