import { UsageError } from '../../protocol/errors.js'
import type { Client, TokenEndpointAuthMethod } from '../../protocol/oauth/client.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import type { ClientSecretPlace } from '../../protocol/oauth/token.js'
import { type ClientKey, keyOfSecret, withAnnounced } from '../../protocol/tokens/client-assertion.js'
import { readInputFile } from '../input/input-file.js'

/** The proof of a client: a secret that the flow sends, or a key that signs its requests. */
export interface ClientProof {
  readonly auth: ClientSecretPlace
  readonly clientSecret?: string
  readonly key?: ClientKey
}

/** The options that say how a client proves its identity. */
export interface ProofOptions {
  readonly auth?: TokenEndpointAuthMethod
  readonly clientKey?: string
}

/** Reads a private key from a file. @throws UsageError */
export async function readClientKey(file: string): Promise<ClientKey> {
  const text = await readInputFile('the client key', file)
  const { loadClientKey } = await import('../../protocol/tokens/client-assertion.js')
  try {
    return loadClientKey(text)
  } catch (error) {
    throw new UsageError(`the client key ${file}: ${error instanceof Error ? error.message : 'unreadable'}`, [
      'It is PKCS#8 PEM or a JWK:  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem',
    ])
  }
}

/** The authentication method of a client when no option names one. */
function usualMethod(
  client: Client,
  key: ClientKey | undefined,
  supported: readonly string[] = ['client_secret_basic'],
): TokenEndpointAuthMethod {
  if (client.token_endpoint_auth_method !== undefined) return client.token_endpoint_auth_method
  if (client.client_secret === undefined) return key || client.jwks ? 'private_key_jwt' : 'none'
  if (key) return 'private_key_jwt'
  const bodyOnly = !supported.includes('client_secret_basic') && supported.includes('client_secret_post')
  return bodyOnly ? 'client_secret_post' : 'client_secret_basic'
}

/**
 * Decides how a client proves its identity: as the option says, else as it is registered, else as the server supports.
 * @throws UsageError where the secret or the key for it is missing
 */
export function clientProof(
  client: Client,
  { auth: asked }: ProofOptions,
  { key, certificate }: { readonly key?: ClientKey | undefined; readonly certificate?: object | undefined },
  {
    token_endpoint_auth_methods_supported: supported,
    token_endpoint_auth_signing_alg_values_supported: announced,
  }: AuthorizationServerMetadata,
): ClientProof {
  const method = asked ?? usualMethod(client, key, supported)
  const { client_id: id, client_secret: clientSecret } = client
  if (method === 'private_key_jwt') {
    if (key) return { auth: 'none', key: withAnnounced(key, announced) }
    throw new UsageError(`client ${id} authenticates by private_key_jwt, and its key is not known here`, [
      'Name its private key:  --client-key FILE   (PKCS#8 PEM or JWK)',
    ])
  }
  if (method === 'client_secret_jwt') {
    const own = clientSecret === undefined ? undefined : keyOfSecret(clientSecret, announced)
    if (own) return { auth: 'none', key: own }
    throw new UsageError(
      `client ${id} authenticates by client_secret_jwt, which needs ${clientSecret === undefined ? 'its secret' : 'a secret of 32 bytes or more (RFC 7518 §3.2)'}`,
      ['For another issuer:  --client-secret-file FILE or --client-secret-stdin'],
    )
  }
  if (method === 'tls_client_auth' || method === 'self_signed_tls_client_auth') {
    // The handshake proves the client; the request names it (RFC 8705 §2).
    if (certificate) return { auth: 'none' }
    throw new UsageError(`client ${id} authenticates by ${method}, and its certificate is not known here`, [
      'Name it:  --cert FILE --cert-key FILE',
      `Make one:  oauth-lab ca client ${id} -o DIR`,
    ])
  }
  if (method === 'none') return { auth: 'none' }
  if (clientSecret !== undefined) return { auth: method, clientSecret }
  throw new UsageError(`${method} needs a secret, and client ${id} has none here`, [
    'For another issuer:  --client-secret-file FILE or --client-secret-stdin',
  ])
}
