import type { ResponseAlgorithm } from '../../../protocol/oauth/algorithms.js'
import type { Client } from '../../../protocol/oauth/client.js'
import type { VerificationKeys } from '../../../protocol/tokens/keys.js'
import {
  type AlgorithmKeyring,
  type Keyring,
  loadSharedSecret,
  type SharedSecretKey,
  type SigningKey,
  verificationKeys,
} from '../../../protocol/tokens/keys.js'

/** Shortest secret for HS256, in bytes (RFC 7518 §3.2). */
const MIN_SECRET_BYTES = 32

/** True when the client's secret is long enough for HS256. */
export function canKeyHs256({
  client_secret: secret = '',
}: {
  readonly client_secret?: string | undefined
}): boolean {
  return Buffer.byteLength(secret) >= MIN_SECRET_BYTES
}

/**
 * Returns the key that signs responses to a client, by default the key of access tokens. With HS256 this is the client's own
 * secret (OpenID Connect Core §10.1): a verifier of HS256 can also sign, and a client must not be able to make access tokens.
 * @throws Error for HS256 and a client without a secret of 32 bytes; the lab file and the stage refuse such a client
 */
export async function responseKey(
  keyring: AlgorithmKeyring,
  client: Client,
  alg: ResponseAlgorithm | undefined,
): Promise<SigningKey | SharedSecretKey> {
  const usual = keyring.current()
  const wanted = alg ?? usual.alg
  if (wanted === 'HS256') return loadSharedSecret(client.client_secret ?? '')
  return wanted === usual.alg ? usual : keyring.signingKey(wanted)
}

/**
 * Returns the keys that verify the id_tokens of a client: its secret for HS256, else every published key, because the
 * registration of the client may have changed. Undefined for a client that cannot get id_tokens.
 */
export function idTokenVerificationKeys(
  keyring: Keyring,
  client: Client | undefined,
): VerificationKeys | undefined {
  const alg = client?.id_token_signed_response_alg ?? keyring.current().alg
  if (alg !== 'HS256') return verificationKeys(keyring)
  if (client === undefined || !canKeyHs256(client)) return undefined
  return { kind: 'key', key: loadSharedSecret(client.client_secret ?? '').secret, alg: 'HS256' }
}
