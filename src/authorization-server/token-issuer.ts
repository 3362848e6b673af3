import type { Client } from '../oauth/client.js'
import { formatScope } from '../oauth/scope.js'
import type { TokenResponse } from '../oauth/token.js'
import { signJwt } from '../tokens/sign.js'
import { cut, type Publish } from './events.js'
import type { Entitlement } from './grants/grant.js'
import type { SignIdToken } from './id-token.js'
import type { IssuedTokens } from './issued-tokens.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from './settings.js'

/** What tokens are made with. */
export interface TokenIssuerParts {
  readonly settings: Pick<AuthorizationServerSettings, 'issuer' | 'lifetimes'>
  readonly ports: Pick<AuthorizationServerPorts, 'now' | 'random' | 'keyring'>
  readonly issuedTokens: IssuedTokens
  readonly signIdToken: SignIdToken
  readonly publish: Publish
}

/** Makes the tokens a client is entitled to. */
export type IssueTokens = (
  client: Client,
  entitlement: Entitlement,
  grantType: string,
) => Promise<TokenResponse>

/** An access token is valid this many seconds before it was issued, for clocks that are behind. */
const NOT_BEFORE_OFFSET = 30

/** NumericDates are seconds (RFC 7519 §2). */
const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/** Access tokens as the interface specification has them, and id_tokens beside them. */
export function createTokenIssuer(parts: TokenIssuerParts): IssueTokens {
  const { settings, ports, issuedTokens, signIdToken, publish } = parts
  const { issuer } = settings
  const { keyring } = ports
  const lifetime = seconds(settings.lifetimes.accessToken)

  return async (client, entitlement, grantType) => {
    const { subject, scope, family, login } = entitlement
    const { client_id: clientId } = client
    const jti = Buffer.from(ports.random(16)).toString('base64url')
    // Before the signature is awaited: a replay in that time revokes this token too.
    issuedTokens.add(family, jti)
    const iat = seconds(ports.now())
    const claims = {
      sub: subject,
      nbf: iat - NOT_BEFORE_OFFSET,
      iat,
      exp: iat + lifetime,
      iss: issuer,
      aud: clientId,
      jti,
      client_id: clientId,
      scope: formatScope(scope),
    }
    const accessToken = await signJwt(
      claims,
      keyring.current(),
      client.token_profile === 'rfc9068' ? 'at+jwt' : 'JWT',
    )
    const identity =
      scope.includes('openid') && login !== undefined
        ? await signIdToken(client, { subject, login, accessToken })
        : undefined
    publish({
      type: 'token.issued',
      client_id: clientId,
      sub: subject,
      grant_type: grantType,
      scope: claims.scope,
      access_token: cut(accessToken),
      jti,
      expires_in: lifetime,
      id_token: identity !== undefined,
    })
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: lifetime,
      scope: claims.scope,
      ...(identity === undefined ? {} : { id_token: identity }),
    }
  }
}
