import type { JwkSet, SharedSecretKey, SigningKey } from './keys.js'
import type { VerificationKeys } from './verify.js'

/** The keys of a server: what it signs with now, and what verifies the tokens that are still about. */
export interface Keyring {
  /**
   * Returns the key that signs new tokens. Call it for each token: keys are rotated while the server runs.
   */
  current(): SigningKey | SharedSecretKey
  /**
   * The public keys, newest first: those of tokens signed before a rotation stay until they have expired. Empty
   * where a shared secret signs. The same object for as long as nothing changes, so that keys are imported once.
   */
  published(): JwkSet
}

/** A keyring of one key that never changes. */
export function fixedKeyring(key: SigningKey | SharedSecretKey): Keyring {
  const keys: JwkSet = { keys: key.alg === 'RS256' ? [key.publicJwk] : [] }
  return { current: () => key, published: () => keys }
}

/** The keys with which the server verifies its own tokens, now. */
export function verificationKeys(keyring: Keyring): VerificationKeys {
  const key = keyring.current()
  return key.alg === 'HS256'
    ? { kind: 'key', key: key.secret, alg: key.alg }
    : { kind: 'jwks', jwks: keyring.published() }
}
