import { CompactSign } from 'jose'
import type { JsonObject } from '../oauth/json-object.js'
import { type GivenKey, KeyFormatError } from './given-keys.js'
import { KEY_KINDS, signatureAlgorithms } from './key-algorithms.js'

/** The algorithms of a shared secret, with the bytes that each needs (RFC 7518 §3.2). */
const HMAC: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 }

/** Returns the algorithms that a key can sign by, the usual one first. */
function algorithmsOf({ key }: GivenKey): readonly string[] {
  if (key.type !== 'secret') return signatureAlgorithms(key)
  const bytes = key.symmetricKeySize ?? 0
  return Object.keys(HMAC).filter(name => HMAC[name]! <= bytes)
}

/**
 * Chooses the algorithm of a signature: the one that was named, that of the JWK, or the usual one of the key.
 * @throws KeyFormatError for a key that cannot sign, or not by this algorithm
 */
export function signingAlgorithm(given: GivenKey, named?: string): string {
  const { key, members } = given
  if (key.type === 'public') throw new KeyFormatError('this is a public key; the private one signs')
  const possible = algorithmsOf(given)
  if (possible.length === 0) {
    throw new KeyFormatError(
      key.type === 'secret'
        ? `the secret has ${key.symmetricKeySize} bytes; HS256 needs at least 32 (RFC 7518 §3.2)`
        : `this key cannot sign: use ${KEY_KINDS}`,
    )
  }
  const alg = named ?? (typeof members.alg === 'string' ? members.alg : possible[0]!)
  if (possible.includes(alg)) return alg
  throw new KeyFormatError(`this key cannot sign by ${alg}: it can by ${possible.join(', ')} (RFC 7518 §3.1)`)
}

/** Signs claims as they are (RFC 7515 §5.1). The header is that of the caller, with alg. */
export function signClaims(claims: JsonObject, header: JsonObject & { alg: string }, { key }: GivenKey) {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader(header)
    .sign(key)
}
