import type { JWTPayload } from 'jose'
import {
  type RegisteredAlgorithms,
  type ResponseKind,
  registeredAlgorithms,
} from '../../../protocol/oauth/algorithms.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { contentKey, encryptionKey, encryptText } from '../../../protocol/tokens/encryption.js'
import type { AlgorithmKeyring, SharedSecretKey, SigningKey } from '../../../protocol/tokens/keys.js'
import { signJwt } from '../../../protocol/tokens/keys.js'
import type { Publish } from '../events.js'
import { type ClientKeys, ClientKeysError } from '../stores/client-keys.js'
import { responseKey } from './id-token-key.js'

/** A response to one client: its kind, and the `typ` of its JWT. */
export interface ResponseTo {
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
export function createClientResponses(parts: {
  readonly keyring: AlgorithmKeyring
  readonly clientKeys: ClientKeys
}): ClientResponses {
  const { keyring, clientKeys } = parts

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
