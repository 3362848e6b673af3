import type { Client } from '../../../protocol/oauth/client.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import type { JsonObject } from '../../../protocol/values.js'
import { defined } from '../../../protocol/values.js'
import type { RegisteredClient } from '../stores/registered-clients.js'
import { type Abilities, membersOf } from './members.js'

/** The server that describes a client to itself. */
export interface InformationContext extends Abilities {
  readonly issuer: string
  readonly scopes: readonly string[]
  /** Returns the algorithm of id_tokens of a client that registered none. */
  readonly idTokenAlgorithm: () => string
}

/** Returns the address at which a client manages its registration (RFC 7592 §3). */
export function managementUri(issuer: string, clientId: string): string {
  return `${issuer}/register/${encodeURIComponent(clientId)}`
}

/** Returns all registered metadata of a client, with the defaults of the server (RFC 7591 §3.2.1). */
export function registeredMetadata(client: Client, context: InformationContext): JsonObject {
  const { scopes, idTokenAlgorithm } = context
  const names = Object.keys(membersOf(context)) as (keyof Client)[]
  const own = Object.fromEntries(names.map(name => [name, client[name]]))
  return defined({
    ...own,
    ...client.localized,
    // The default of RFC 7591 §2. The secret of a client that named no method counts in the body too.
    token_endpoint_auth_method: client.token_endpoint_auth_method ?? 'client_secret_basic',
    scope: formatScope(client.allowed_scopes ?? scopes),
    subject_type: client.subject_type ?? 'public',
    id_token_signed_response_alg: client.id_token_signed_response_alg ?? idTokenAlgorithm(),
  })
}

/**
 * Returns the answer about a client (RFC 7591 §3.2.1, RFC 7592 §3).
 * @param client as the server registers it
 * @param token its registration access token, as the request or the registration has it
 */
export function clientInformation(
  { at, statement }: Pick<RegisteredClient, 'at' | 'statement'>,
  client: Client,
  token: string,
  context: InformationContext,
): JsonObject {
  const { client_id: id, client_secret: secret } = client
  return defined({
    client_id: id,
    client_id_issued_at: Math.floor(at / 1000),
    client_secret: secret,
    // 0: the secret does not end. The member is required beside a secret alone.
    client_secret_expires_at: secret === undefined ? undefined : 0,
    registration_access_token: token,
    registration_client_uri: managementUri(context.issuer, id),
    ...registeredMetadata(client, context),
    software_statement: statement,
  })
}
