import type { Client } from '../../oauth/client.js'
import { type Keyring, verificationKeys } from '../../tokens/keyring.js'
import { loadSharedSecret, type SharedSecretKey, type SigningKey } from '../../tokens/keys.js'
import type { VerificationKeys } from '../../tokens/verify.js'

/** Shortest secret for HS256, in bytes (RFC 7518 §3.2). */
const MIN_SECRET_BYTES = 32

/** True when the client's secret is long enough for HS256. */
export function canKeyHs256({ client_secret: secret = '' }: Client): boolean {
  return Buffer.byteLength(secret) >= MIN_SECRET_BYTES
}

/**
 * Returns the key that signs the id_tokens of a client. With HS256 this is the client's own secret (OpenID Connect Core
 * §10.1): a verifier of HS256 can also sign, and a client must not be able to make access tokens.
 * @throws Error for HS256 and a client without a secret of 32 bytes; such a client is not allowed `openid`
 */
export function idTokenKey(keyring: Keyring, client: Client): SigningKey | SharedSecretKey {
  const key = keyring.current()
  return key.alg === 'HS256' ? loadSharedSecret(client.client_secret ?? '') : key
}

/** Returns the keys that verify the id_tokens of a client; undefined for a client that cannot get id_tokens. */
export function idTokenVerificationKeys(
  keyring: Keyring,
  client: Client | undefined,
): VerificationKeys | undefined {
  if (keyring.current().alg !== 'HS256') return verificationKeys(keyring)
  if (client === undefined || !canKeyHs256(client)) return undefined
  return { kind: 'key', key: loadSharedSecret(client.client_secret ?? '').secret, alg: 'HS256' }
}
