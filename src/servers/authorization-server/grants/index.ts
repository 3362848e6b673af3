import type { TokenParts } from '../tokens/token-parts.js'
import { jwtBearerGrant, samlBearerGrant } from './assertions.js'
import { authorizationCodeGrant } from './authorization-code.js'
import { clientCredentialsGrant } from './client-credentials.js'
import type { Grant } from './grant.js'
import { passwordGrant } from './password.js'
import { cibaGrant, deviceCodeGrant } from './polled-grant.js'
import { refreshTokenGrant } from './refresh-token.js'
import { tokenExchangeGrant } from './token-exchange.js'

/** Makes a grant from the parts of the server. */
export type MakeGrant = (parts: TokenParts) => Grant

export const GRANTS: readonly MakeGrant[] = [
  authorizationCodeGrant,
  refreshTokenGrant,
  passwordGrant,
  clientCredentialsGrant,
  jwtBearerGrant,
  samlBearerGrant,
  tokenExchangeGrant,
  deviceCodeGrant,
  cibaGrant,
]

/** Returns the grants of a server by `grant_type`. The metadata lists them. */
export function createGrants(table: readonly MakeGrant[], parts: TokenParts): ReadonlyMap<string, Grant> {
  return new Map(table.map(make => make(parts)).map(grant => [grant.grantType, grant]))
}
