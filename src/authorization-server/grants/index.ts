import { type AssertionGrantParts, jwtBearerGrant, samlBearerGrant } from './assertions.js'
import { type AuthorizationCodeParts, authorizationCodeGrant } from './authorization-code.js'
import { type ClientCredentialsParts, clientCredentialsGrant } from './client-credentials.js'
import { type DeviceCodeParts, deviceCodeGrant } from './device-code.js'
import type { Grant } from './grant.js'
import { type PasswordParts, passwordGrant } from './password.js'
import { type RefreshTokenParts, refreshTokenGrant } from './refresh-token.js'
import { type TokenExchangeParts, tokenExchangeGrant } from './token-exchange.js'

/** Everything a grant may need. */
export type GrantParts = AuthorizationCodeParts &
  RefreshTokenParts &
  PasswordParts &
  ClientCredentialsParts &
  AssertionGrantParts &
  TokenExchangeParts &
  DeviceCodeParts

/** The table of grants, by `grant_type`. The metadata is written from it. */
export function createGrants(parts: GrantParts): ReadonlyMap<string, Grant> {
  const grants = [
    authorizationCodeGrant,
    refreshTokenGrant,
    passwordGrant,
    clientCredentialsGrant,
    jwtBearerGrant,
    samlBearerGrant,
    tokenExchangeGrant,
    deviceCodeGrant,
  ]
  return new Map(grants.map(make => make(parts)).map(grant => [grant.grantType, grant]))
}
