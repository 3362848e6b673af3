import { OAuthError } from '../../oauth/oauth-error.js'
import { TokenFormatError } from '../../tokens/decode.js'
import { verificationKeys } from '../../tokens/keyring.js'
import { type Verdict, verifyJwt } from '../../tokens/verify.js'
import type { Actor } from '../model.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from '../settings.js'
import type { IssuedTokens } from '../stores/issued-tokens.js'
import type { Registry } from '../stores/registry.js'

/** An access token of this server that is good now. */
export interface AccessToken {
  readonly jti: string
  readonly clientId: string
  readonly subject: string
  readonly scope: readonly string[]
  readonly audience: string | readonly string[]
  /** NumericDates. */
  readonly issuedAt: number
  readonly expiresAt: number
  readonly notBefore: number
  /** Thumbprint of the key it is bound to (RFC 9449 §6.1). */
  readonly jkt?: string
  /** The actor for the subject (RFC 8693 §4.1). */
  readonly act?: Actor
  /** Set for a token that is not a JWT presented as Bearer or DPoP. */
  readonly tokenType?: 'mac'
}

/**
 * Reads an access token of this server: signature, issuer, times, revocation.
 * @throws OAuthError `invalid_token`
 */
export type ReadAccessToken = (token: string) => Promise<AccessToken>

/** The parts that read access tokens. */
export interface AccessTokenParts {
  readonly settings: Pick<AuthorizationServerSettings, 'issuer'>
  readonly ports: Pick<AuthorizationServerPorts, 'now' | 'keyring'>
  readonly registry: Registry
  readonly issuedTokens: IssuedTokens
}

/** One reader for every endpoint that is handed an access token. */
export function createAccessTokenReader({
  settings,
  ports,
  registry,
  issuedTokens,
}: AccessTokenParts): ReadAccessToken {
  /** False once its client is disabled or removed, or its subject is removed: a user, or the client of an exchanged token. */
  const isCurrent = ({ clientId, subject }: AccessToken) =>
    registry.client(clientId)?.enabled === true &&
    (registry.user(subject) !== undefined || registry.client(subject) !== undefined)

  async function verified(token: string): Promise<Verdict> {
    try {
      const expected = { issuer: settings.issuer, now: ports.now() }
      return await verifyJwt(token, verificationKeys(ports.keyring), expected)
    } catch (error) {
      if (error instanceof TokenFormatError)
        throw invalidToken('this is not an access token', 'RFC 7519 §7.2')
      throw error
    }
  }

  return async token => {
    const { ok, checks, token: decoded } = await verified(token)
    const broken = checks.find(each => !each.ok)
    if (!ok) throw invalidToken(`the token is refused: ${broken?.name}`, broken?.rule, broken?.detail)
    const accessToken = readClaims(decoded.claims)
    if (accessToken === undefined) throw invalidToken('this is not an access token')
    if (issuedTokens.isRevoked(accessToken.jti)) throw invalidToken('the token was revoked')
    if (!isCurrent(accessToken)) throw invalidToken('its client or its user is not registered any more')
    return accessToken
  }
}

/** The claims of an access token; an id_token has no `jti`, `client_id` and `scope`. The signature is ours. */
export function readClaims(claims: Verdict['token']['claims']): AccessToken | undefined {
  const { jti, client_id: clientId, scope, sub: subject, aud, iat, exp, nbf, cnf, act } = claims
  if (typeof jti !== 'string' || typeof clientId !== 'string') return undefined
  if (typeof scope !== 'string' || typeof subject !== 'string') return undefined
  const jkt = (cnf as { jkt?: string } | undefined)?.jkt
  return {
    jti,
    clientId,
    subject,
    scope: scope.split(' '),
    audience: aud as string | string[],
    issuedAt: iat as number,
    expiresAt: exp as number,
    notBefore: nbf as number,
    ...(jkt === undefined ? {} : { jkt }),
    ...(act === undefined ? {} : { act: act as Actor }),
  }
}

/** A token that may not be used (RFC 6750 §3.1). */
export function invalidToken(
  description: string,
  rule = 'RFC 6750 §3.1',
  evidence?: string,
): OAuthError<'invalid_token'> {
  return new OAuthError('invalid_token', {
    description,
    rule,
    ...(evidence === undefined ? {} : { evidence }),
  })
}
