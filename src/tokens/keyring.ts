import type { JwkSet, SharedSecretKey, SigningKey } from './keys.js'
import type { VerificationKeys } from './verify.js'

/** The keys of a server: the signing key, and the keys of tokens that are still valid. */
export interface Keyring {
  /**
   * Returns the key that signs new tokens. Call it for each token: keys are rotated while the server runs.
   */
  current(): SigningKey | SharedSecretKey
  /**
   * Returns the public keys, newest first. After a rotation, old keys stay until their tokens have expired. Empty when a
   * shared secret signs. Returns the same object until the keys change, so that they are imported once.
   */
  published(): JwkSet
}

/** Makes a keyring of one key that never changes. */
export function fixedKeyring(key: SigningKey | SharedSecretKey): Keyring {
  const keys: JwkSet = { keys: key.alg === 'RS256' ? [key.publicJwk] : [] }
  return { current: () => key, published: () => keys }
}

/** Returns the keys that verify the server's own tokens now. */
export function verificationKeys(keyring: Keyring): VerificationKeys {
  const key = keyring.current()
  return key.alg === 'HS256'
    ? { kind: 'key', key: key.secret, alg: key.alg }
    : { kind: 'jwks', jwks: keyring.published() }
}
