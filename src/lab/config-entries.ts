import type { User } from '../authorization-server/model.js'
import { grantTypesFor, type ResponseType } from '../authorization-server/parameters/response-type.js'
import { defined } from '../defined.js'
import type { Issuer } from '../demo-client/issuer.js'
import { type Client, isConfidential } from '../oauth/client.js'
import type { ClientEntry, LabFile, UserEntry } from './lab-file-schema.js'

/**
 * The response types of a client that names none: those that its grant types allow (RFC 7591 §2.1), without the hybrid
 * ones, which few clients expect.
 */
function responseTypesOf(grants: readonly string[]): string[] {
  return [
    ...(grants.includes('authorization_code') ? ['code'] : []),
    ...(grants.includes('implicit') ? ['token', 'id_token', 'id_token token'] : []),
  ]
}

/** The grant types that a client's response types need, the one RFC 7591 §2 assumes where it names neither. */
function grantTypesOf(responseTypes: readonly ResponseType[] | undefined): string[] {
  if (responseTypes === undefined) return ['authorization_code']
  return [...new Set(responseTypes.flatMap(grantTypesFor))]
}

/** A registered client from its entry in the lab file. */
export function toClient(entry: ClientEntry): Client {
  const grants = entry.grant_types ?? grantTypesOf(entry.response_types)
  const confidential = isConfidential(entry)
  return {
    ...defined(entry),
    redirect_uris: entry.redirect_uris ?? [],
    enabled: entry.enabled ?? true,
    grant_types: grants,
    response_types: entry.response_types ?? responseTypesOf(grants),
    require_pkce: entry.require_pkce ?? !confidential,
    code_challenge_methods: entry.code_challenge_methods ?? ['S256'],
    token_profile: entry.token_profile ?? 'jwt',
  }
}

/** A resource owner from the entry in the lab file. */
export function toUser(entry: UserEntry): User {
  return { ...defined(entry), claims: entry.claims ?? {} }
}

/** An authorization server of the demo client, from its entry in the lab file. */
export function toIssuer(entry: NonNullable<NonNullable<LabFile['demo_client']>['issuers']>[number]): Issuer {
  const { name, issuer, client_id: clientId, client_secret: clientSecret } = entry
  const auth = clientSecret === undefined ? 'none' : 'client_secret_basic'
  return defined({ issuer, key: name, clientId, clientSecret, auth })
}
