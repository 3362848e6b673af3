import type { Client, TokenEndpointAuthMethod } from '../oauth/client.js'
import { isConfidential } from '../oauth/client.js'
import {
  type BodyCredentials,
  type ClientCredentials,
  readClientCredentials,
  secretsEqual,
} from '../oauth/client-auth.js'
import { OAuthError, type OAuthErrorDetail } from '../oauth/oauth-error.js'
import { bounded } from './events.js'
import type { Registry } from './registry.js'

declare const authenticated: unique symbol

/** A client that proved who it is, or a public one that said so. Only `authenticateClient` makes one. */
export type AuthenticatedClient = Client & { readonly [authenticated]: true }

/** A failed client authentication: 401 where the Authorization header was used (RFC 6749 §5.2). */
export class ClientAuthenticationError extends OAuthError {
  override name = 'ClientAuthenticationError'
  constructor(
    code: string,
    detail: OAuthErrorDetail,
    readonly usedHeader: boolean,
  ) {
    super(code, detail)
  }
}

/** Methods this server understands, as its metadata names them. */
export const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const

/**
 * Authenticates the client of a request (RFC 6749 §2.3, §3.2.1). Touches nothing but the registry.
 * @param authorization all values of the Authorization header
 * @throws ClientAuthenticationError
 */
export function authenticateClient(
  authorization: readonly string[],
  body: BodyCredentials,
  registry: Registry,
): AuthenticatedClient {
  const credentials = readClientCredentials(authorization, body)
  if ('code' in credentials) {
    const { code, problem, rule, usedHeader } = credentials
    throw new ClientAuthenticationError(code, { description: problem, rule }, usedHeader)
  }
  const { method } = credentials
  const found = method === 'none' ? publicClient(credentials, registry) : withSecret(credentials, registry)
  if (typeof found !== 'string') {
    const problem = registrationProblem(found, method)
    if (problem === undefined) return found as AuthenticatedClient
    throw failure(problem, credentials)
  }
  throw failure(found, credentials)
}

function failure(description: string, credentials: ClientCredentials): ClientAuthenticationError {
  const basic = credentials.method === 'client_secret_basic'
  const id = basic ? credentials.readings[0]?.clientId : credentials.clientId
  return new ClientAuthenticationError(
    'invalid_client',
    { description, rule: 'RFC 6749 §3.2.1', evidence: id === undefined ? 'no client_id' : bounded(id) },
    basic,
  )
}

/** What the registration says against a method; undefined when nothing. */
function registrationProblem(client: Client, method: TokenEndpointAuthMethod): string | undefined {
  if (!client.enabled) return 'this client is disabled'
  const { token_endpoint_auth_method: registered } = client
  return registered === undefined || registered === method
    ? undefined
    : `this client is registered for ${registered}`
}

type NoCredentials = Extract<ClientCredentials, { method: 'none' }>
type SecretCredentials = Exclude<ClientCredentials, NoCredentials>

function publicClient({ clientId }: NoCredentials, registry: Registry): Client | string {
  if (clientId === undefined) return 'no client authentication and no client_id were sent'
  const client = registry.client(clientId)
  if (client === undefined) return 'the client is unknown'
  const mayGoWithout = !isConfidential(client) || client.token_endpoint_auth_method === 'none'
  return mayGoWithout ? client : 'this client has credentials and must authenticate'
}

function withSecret(credentials: SecretCredentials, registry: Registry): Client | string {
  const tries =
    credentials.method === 'client_secret_basic'
      ? credentials.readings
      : [{ clientId: credentials.clientId ?? '', secret: credentials.secret }]
  for (const { clientId, secret } of tries) {
    const client = registry.client(clientId)
    // Compared also where there is nothing to compare with, so that time does not tell which clients exist.
    const equal = secretsEqual(secret, client?.client_secret ?? '')
    if (equal && client?.client_secret !== undefined) return client
  }
  return 'the client is unknown, or its secret is wrong'
}
