import type { JWTPayload } from 'jose'
import {
  type RegisteredAlgorithms,
  type ResponseAlgorithm,
  type ResponseKind,
  registeredAlgorithms,
} from '../../../protocol/oauth/algorithms.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { contentKey, encryptionKey, encryptText } from '../../../protocol/tokens/encryption.js'
import {
  type AlgorithmKeyring,
  type Keyring,
  loadSharedSecret,
  type SharedSecretKey,
  type SigningKey,
  signJwt,
  type VerificationKeys,
  verificationKeys,
} from '../../../protocol/tokens/keys.js'
import type { Publish } from '../events.js'
import { type ClientKeys, ClientKeysError } from '../stores/client-keys.js'

/** A response to one client: its kind, and the `typ` of its JWT. */
interface ResponseTo {
  readonly client: Client
  readonly kind: ResponseKind
  readonly publish: Publish
  readonly typ?: string
}

/** Signs and encrypts responses as their clients are registered for it. */
export interface ClientResponses {
  /** Returns the key that signs a kind of response to a client. */
  keyFor(client: Client, kind: ResponseKind): Promise<SigningKey | SharedSecretKey>
  /**
   * Signs claims, and encrypts the JWT where the client is registered for that: signed first, then encrypted (OpenID
   * Connect Core §10, RFC 7519 §11.2).
   * @throws OAuthError `invalid_request` when no key of the client can be encrypted to
   */
  protect(claims: JWTPayload, to: ResponseTo): Promise<string>
  /** Encrypts a text that is no JWT. @throws as `protect` */
  encrypt(text: string, to: ResponseTo): Promise<string>
}

type RegisteredEncryption = NonNullable<RegisteredAlgorithms['encryption']>

const unencrypted = (kind: ResponseKind, why: string) =>
  new OAuthError('invalid_request', {
    description: `the ${kind} response cannot be encrypted to this client: ${why}`,
    rule: 'OpenID Connect Core §10.2',
  })

/** Makes the functions that protect responses. */
export function createClientResponses({
  keyring,
  clientKeys,
}: {
  readonly keyring: AlgorithmKeyring
  readonly clientKeys: ClientKeys
}): ClientResponses {
  async function keyOf({ client, kind, publish }: ResponseTo, { alg, enc }: RegisteredEncryption) {
    if (alg === 'dir') return contentKey(client.client_secret ?? '', enc)
    try {
      const key = encryptionKey(await clientKeys(client, { publish }), alg)
      if (key !== undefined) return key
    } catch (error) {
      if (!(error instanceof ClientKeysError)) throw error
      throw unencrypted(kind, error.message)
    }
    throw unencrypted(kind, `it has no key for ${alg}`)
  }

  async function encrypted(text: string, to: ResponseTo, header: { cty?: 'JWT'; typ?: string }) {
    const { encryption } = registeredAlgorithms(to.client, to.kind)
    if (encryption === undefined) return text
    const key = await keyOf(to, encryption)
    const kid = key instanceof Uint8Array ? undefined : key.kid
    try {
      return await encryptText(text, key, encryption, { kid, ...header })
    } catch {
      throw unencrypted(to.kind, `its key ${kid ?? 'without kid'} cannot be used for ${encryption.alg}`)
    }
  }

  const keyFor: ClientResponses['keyFor'] = (client, kind) =>
    responseKey(keyring, client, registeredAlgorithms(client, kind).alg)

  return {
    keyFor,
    async protect(claims, to) {
      const jwt = await signJwt(claims, await keyFor(to.client, to.kind), to.typ ?? 'JWT')
      return encrypted(jwt, to, { cty: 'JWT' })
    },
    encrypt: (text, to) => encrypted(text, to, {}),
  }
}

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
