import type { KeyObject } from 'node:crypto'
import type { Citation } from '../rules/rule.js'

/** The signature algorithms that a server accepts, with the rule for any other one. */
export interface AcceptedAlgorithms {
  readonly names: readonly string[]
  readonly rule: Citation
}

/** The keys that can sign, for messages. */
export const KEY_KINDS = 'RSA with 2048 bits or more, P-256, P-384, P-521 or Ed25519'

/** The algorithms of each kind of key, the usual one first (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2.2). */
const algorithms: Readonly<Record<string, readonly string[]>> = {
  rsa: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  prime256v1: ['ES256'],
  secp384r1: ['ES384'],
  secp521r1: ['ES512'],
  ed25519: ['EdDSA', 'Ed25519'],
}

/**
 * Returns the signature algorithms of a key, the usual one first. The list is empty for a key that cannot sign and for
 * an RSA key of fewer than 2048 bits (RFC 7518 §3.3). Keys of type rsa-pss have no JWK, so jose cannot sign with them.
 */
export function signatureAlgorithms(key: KeyObject): readonly string[] {
  const { namedCurve, modulusLength = 2048 } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < 2048) return []
  return algorithms[String(namedCurve ?? key.asymmetricKeyType)] ?? []
}
