import { hash, timingSafeEqual } from 'node:crypto'

/** The SHA-256 of a secret as it is kept, in base64url. */
export const digestOf = (secret: string): string => hash('sha256', secret.toWellFormed(), 'base64url')

/** Compares a secret with the digest of the right one, in a time that does not depend on either. */
export function isSecret(sent: string, digest: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(sent)), Buffer.from(digest.padEnd(43).slice(0, 43)))
}
