import type { SigningAlgorithm } from '../oauth/response-algorithms.js'
import {
  generateSigningKeyPem,
  type JwkSet,
  loadSigningKey,
  type SharedSecretKey,
  type SigningKey,
} from './keys.js'
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

/** A keyring that signs by every algorithm. */
export interface AlgorithmKeyring extends Keyring {
  /**
   * Returns the key that signs by an algorithm now. The first call makes the key, and publishes it before it signs.
   */
  signingKey(alg: SigningAlgorithm): Promise<SigningKey>
}

/** Makes a keyring of one key that never changes. Keys of other algorithms are made in memory. */
export function fixedKeyring(key: SigningKey | SharedSecretKey): AlgorithmKeyring {
  let keys: JwkSet = { keys: key.alg === 'HS256' ? [] : [key.publicJwk] }
  const made = new Map<SigningAlgorithm, Promise<SigningKey>>()
  async function make(alg: SigningAlgorithm): Promise<SigningKey> {
    const other = await loadSigningKey(await generateSigningKeyPem(alg), alg)
    keys = { keys: [...keys.keys, other.publicJwk] }
    return other
  }
  return {
    current: () => key,
    published: () => keys,
    async signingKey(alg) {
      if (key.alg === alg) return key
      const making = made.get(alg) ?? make(alg)
      made.set(alg, making)
      return making
    },
  }
}

/** Returns the keys that verify the server's own tokens now. */
export function verificationKeys(keyring: Keyring): VerificationKeys {
  const key = keyring.current()
  return key.alg === 'HS256'
    ? { kind: 'key', key: key.secret, alg: key.alg }
    : { kind: 'jwks', jwks: keyring.published() }
}
