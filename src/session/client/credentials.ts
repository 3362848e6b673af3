import { createPrivateKey, X509Certificate } from 'node:crypto'
import { UsageError } from '../../protocol/errors.js'
import type { Client, TokenEndpointAuthMethod } from '../../protocol/oauth/client.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import type { ClientSecretPlace } from '../../protocol/oauth/token.js'
import { insteadOfCertificate } from '../../protocol/second-reading-keys.js'
import { type ClientKey, keyOfSecret, withAnnounced } from '../../protocol/tokens/client-assertion.js'
import { certificateThumbprint } from '../../protocol/tokens/confirmation.js'
import { readInputFile, readStdinLine } from '../input/input.js'
import type { FlowRunOptions } from '../options/table.js'
import type { FoundServer } from '../targets/named-server.js'

/** The proof of a client: a secret that the flow sends, or a key that signs its requests. */
interface ClientProof {
  readonly auth: ClientSecretPlace
  readonly clientSecret?: string
  readonly key?: ClientKey
}

/** The options that say how a client proves its identity. */
export type ProofOptions = Partial<Pick<FlowRunOptions, 'auth' | 'clientKey'>>

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

/** The options that say where the secret of a client is. */
export interface SecretOptions extends ProofOptions, Pick<CertificateOptions, 'cert'> {
  readonly clientSecretFile?: string
  readonly clientSecretStdin?: true
  /** The secret itself, from the lab file. */
  readonly clientSecret?: string
  readonly found?: FoundServer
  readonly passwordStdin?: true
}

/**
 * Reads the secret of a client of another server. No option takes the secret itself: every user of the machine can
 * read a command line.
 * @throws UsageError
 */
export async function clientSecret(
  options: SecretOptions,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const { clientSecretFile: file, clientSecretStdin, passwordStdin } = options
  if (clientSecretStdin && passwordStdin) {
    throw new UsageError('--client-secret-stdin and --password-stdin both want stdin', [
      'Use --client-secret-file for one of them',
    ])
  }
  if (clientSecretStdin && file !== undefined) {
    throw new UsageError('--client-secret-stdin and --client-secret-file are two secrets', ['Leave one out'])
  }
  if (clientSecretStdin) return readStdinLine('the client secret')
  if (file !== undefined) return secretInFile(file)
  // A secret in the lab file belongs to its client. The variable may be of another one.
  const secret = options.clientSecret ?? (env.OAUTH_LAB_CLIENT_SECRET || undefined)
  const { found, auth, clientKey, cert } = options
  if (found === undefined || secret === options.clientSecret) return secret
  // The variable was not made for a server that only a found lab file names.
  if (auth === undefined ? (clientKey ?? cert) !== undefined : !auth.startsWith('client_secret'))
    return undefined
  throw new UsageError(
    `OAUTH_LAB_CLIENT_SECRET would go to a server that only ${found.file} names. It was found in the current folder, and nobody named it`,
    [
      `If you trust it, name it:  --config ${found.file}`,
      'Or give the secret by --client-secret-file or --client-secret-stdin',
    ],
  )
}

/** Reads the secret that a file holds. @throws UsageError */
export async function secretInFile(file: string): Promise<string> {
  const secret = (await readInputFile('the client secret', file)).replace(/\r?\n$/, '')
  if (secret === '') throw new UsageError(`the file ${file} holds no client secret`)
  return secret
}

/** The options that name the certificate of a client. */
export type CertificateOptions = Pick<FlowRunOptions, 'cert' | 'certKey'>

/** The certificate of a client, with its key, for the handshake. */
export interface OwnCertificate {
  /** PEM, with the certificates of a chain after it. */
  readonly cert: string
  /** PEM. */
  readonly key: string
  /** Its thumbprint (RFC 8705 §3.1). */
  readonly thumbprint: string
}

const MAKE = 'Make a pair:  oauth-lab ca client NAME -o DIR'

/** Reads the certificate of a client and its key; undefined where no option names one. @throws UsageError */
export async function readOwnCertificate({
  cert: certFile,
  certKey: keyFile,
}: CertificateOptions): Promise<OwnCertificate | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile === undefined || keyFile === undefined) {
    const [given, missing] = certFile === undefined ? ['--cert-key', '--cert'] : ['--cert', '--cert-key']
    throw new UsageError(`${given} needs ${missing} too`, ['--cert FILE --cert-key FILE, both PEM', MAKE])
  }
  const cert = await readInputFile('the client certificate', certFile)
  const key = await readInputFile('the key of the client certificate', keyFile)
  const parsed = parsed509(cert, certFile)
  let matches: boolean
  try {
    matches = parsed.checkPrivateKey(createPrivateKey(key))
  } catch {
    const { privateKeyProblem } = await import('../../protocol/tokens/given-keys.js')
    throw new UsageError(
      `--cert-key ${keyFile}: this is no private key in PEM without a passphrase: ${privateKeyProblem(key)}`,
      [MAKE],
    )
  }
  if (!matches) {
    throw new UsageError(`--cert-key ${keyFile} is not the key of the certificate ${certFile}`, [MAKE])
  }
  return { cert, key, thumbprint: certificateThumbprint({ der: parsed.raw }) }
}

function parsed509(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    const instead = insteadOfCertificate(text)
    throw new UsageError(`--cert ${file}: this is no certificate in PEM${instead ? `: ${instead}` : ''}`, [
      MAKE,
    ])
  }
}
