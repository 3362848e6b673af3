import { type Client, isConfidential } from '../../../protocol/oauth/client.js'
import { defined } from '../../../protocol/values.js'
import { findResponseType, grantTypesFor } from '../parameters/response-type.js'

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

/** Returns the grant types that a response type needs; none for a name that this server does not know. */
export function neededGrants(responseType: string): string[] {
  const known = findResponseType(responseType)
  return known === undefined ? [] : grantTypesFor(known)
}

/** The grant types that a client's response types need, the one RFC 7591 §2 assumes where it names neither. */
function grantTypesOf(responseTypes: readonly string[] | undefined): string[] {
  if (responseTypes === undefined) return ['authorization_code']
  return [...new Set(responseTypes.flatMap(neededGrants))]
}

/** Returns a client with the defaults of this server. */
export function toClient(entry: ClientMetadata): Client {
  const grants = entry.grant_types ?? grantTypesOf(entry.response_types)
  return {
    ...(defined(entry) as Partial<Client>),
    client_id: entry.client_id,
    redirect_uris: entry.redirect_uris ?? [],
    enabled: entry.enabled ?? true,
    grant_types: grants,
    response_types: entry.response_types ?? responseTypesOf(grants),
    require_pkce: entry.require_pkce ?? !isConfidential(entry),
    code_challenge_methods: entry.code_challenge_methods ?? ['S256'],
    token_profile: entry.token_profile ?? 'jwt',
  }
}

/** The metadata of a client as its owner wrote them, before the server adds its defaults. */
export type ClientMetadata = Pick<Client, 'client_id'> & {
  readonly [Name in keyof Client]?: Client[Name] | undefined
}

/** Steps to a member, such as `redirect_uris` and 0. */
export type MemberPath = readonly (string | number)[]

export type Report = (path: MemberPath, problem: string) => void
