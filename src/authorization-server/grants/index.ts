import { type AuthorizationCodeParts, authorizationCodeGrant } from './authorization-code.js'
import type { Grant } from './grant.js'

/** Everything a grant may need. */
export type GrantParts = AuthorizationCodeParts

/** The table of grants, by `grant_type`. The metadata is written from it. */
export function createGrants(parts: GrantParts): ReadonlyMap<string, Grant> {
  return new Map([authorizationCodeGrant(parts)].map(grant => [grant.grantType, grant]))
}
