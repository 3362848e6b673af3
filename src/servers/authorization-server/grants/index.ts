import { type AssertionGrantParts, jwtBearerGrant, samlBearerGrant } from './assertions.js'
import { type AuthorizationCodeParts, authorizationCodeGrant } from './authorization-code.js'
import { type ClientCredentialsParts, clientCredentialsGrant } from './client-credentials.js'
import type { Grant } from './grant.js'
import { type PasswordParts, passwordGrant } from './password.js'
import { type CibaParts, cibaGrant, type DeviceCodeParts, deviceCodeGrant } from './polled-grant.js'
import { type RefreshTokenParts, refreshTokenGrant } from './refresh-token.js'
import { type TokenExchangeParts, tokenExchangeGrant } from './token-exchange.js'

/** The parts that all grants together use. */
export type GrantParts = AuthorizationCodeParts &
  RefreshTokenParts &
  PasswordParts &
  ClientCredentialsParts &
  AssertionGrantParts &
  TokenExchangeParts &
  DeviceCodeParts &
  CibaParts

/** Makes a grant from the parts of the server. */
export type MakeGrant = (parts: GrantParts) => Grant

/** The grants of the server. */
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
export function createGrants(table: readonly MakeGrant[], parts: GrantParts): ReadonlyMap<string, Grant> {
  return new Map(table.map(make => make(parts)).map(grant => [grant.grantType, grant]))
}
