import { bounded } from '../../../protocol/events.js'
import type { AuthorizationDetails } from '../../../protocol/oauth/authorization-details.js'
import { firstFailed } from '../../../protocol/oauth/check.js'
import { MAC_DRAFT } from '../../../protocol/oauth/mac.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { but, idTokenMark, insteadOfToken } from '../../../protocol/second-reading.js'
import { boundCertificate } from '../../../protocol/tokens/confirmation.js'
import { decodeJwt, TokenFormatError } from '../../../protocol/tokens/decode.js'
import { verificationKeys } from '../../../protocol/tokens/keys.js'
import { type Verdict, verifyJwt } from '../../../protocol/tokens/verify.js'
import { type Authentication, isKnownAcr } from '../logins/authentication.js'
import type { Actor } from '../model.js'
import type { Subjects } from '../pairwise/subjects.js'
import type { BaseParts } from '../parts.js'
import { idTokenVerificationKeys } from './client-responses.js'

/** A valid access token of this server. */
export interface AccessToken {
  readonly jti: string
  readonly clientId: string
  /** The username, or the client id when no user is involved. The `sub` of a pairwise client's token differs. */
  readonly subject: string
  readonly scope: readonly string[]
  readonly audience: string | readonly string[]
  /** A NumericDate. */
  readonly issuedAt: number
  readonly expiresAt: number
  readonly notBefore: number
  /** Thumbprint of the key that the token is bound to (RFC 9449 §6.1). */
  readonly jkt: string | undefined
  /** Thumbprint of the certificate that the token is bound to (RFC 8705 §3.1). */
  readonly certificate: string | undefined
  /** Names of claims for /userinfo, beside those of the scopes (OpenID Connect Core §5.5). */
  readonly userinfoClaims: readonly string[]
  /** Authorization details (RFC 9396 §9.1). */
  readonly details: AuthorizationDetails
  /** The login behind the token (RFC 9068 §2.2.1). Absent when no user logged in. */
  readonly login: Authentication | undefined
  /** The actor who acts for the subject (RFC 8693 §4.1). */
  readonly act: Actor | undefined
  /** Set for a token of type `mac`. Absent for a JWT. */
  readonly tokenType?: 'mac'
}

/**
 * Reads an access token of this server, and checks signature, issuer, times and revocation.
 * @throws OAuthError `invalid_token`
 */
export type ReadAccessToken = (token: string) => Promise<AccessToken>

/** The parts that translate between the names of this server and those that clients know. */
type NamingParts = BaseParts & { readonly subjects: Subjects }

/** Makes the reader that every endpoint with an access token uses. */
export function createAccessTokenReader({
  settings,
  ports,
  registry,
  clientless,
  issuedTokens,
  subjects,
  refreshTokens,
}: NamingParts): ReadAccessToken {
  async function verified(token: string): Promise<Verdict> {
    try {
      const expected = { issuer: settings.issuer, now: ports.now() }
      return await verifyJwt(token, verificationKeys(ports.keyring), expected)
    } catch (error) {
      if (!(error instanceof TokenFormatError)) throw error
      const instead =
        refreshTokens.find(token) === undefined
          ? insteadOfToken(token)
          : 'it is a refresh token, which the token endpoint alone takes'
      throw invalidToken(`this is not an access token${but(instead)}`, 'RFC 7519 §7.2')
    }
  }

  return async token => {
    const { ok, checks, token: decoded } = await verified(token)
    const broken = firstFailed(checks)
    if (!ok) {
      const why = broken?.detail === undefined ? '' : `: ${bounded(broken.detail)}`
      throw invalidToken(`the token is refused: ${broken?.name}${why}`, broken?.rule, broken?.detail)
    }
    const sent = readClaims(decoded.claims)
    if (sent === undefined) {
      const mark = idTokenMark(decoded.claims)
      const kind = mark === undefined ? '' : `; it is an ID token, which is for its client alone (${mark})`
      throw invalidToken(`this is not an access token${kind}`)
    }
    const accessToken = await withOwnNames(sent, { registry, subjects })
    if (issuedTokens.isRevoked(sent.jti)) throw invalidToken('the token was revoked')
    if (accessToken === undefined || !isCurrent(accessToken, { registry, clientless }))
      throw invalidToken('its client or its user is not registered any more')
    return accessToken
  }
}

/** Returns a token with the names of this server in place of those that its client knows; undefined for an unknown `sub`. */
async function withOwnNames(
  token: AccessToken,
  { registry, subjects }: Pick<NamingParts, 'registry' | 'subjects'>,
): Promise<AccessToken | undefined> {
  const client = registry.client(token.clientId)
  const subject = await subjects.subjectOf(client, token.subject)
  const act = token.act && (await subjects.actOf(client, token.act))
  return subject === undefined ? undefined : { ...token, subject, act }
}

/**
 * True while the client of a token is enabled and its subject is registered. The subject is a user, or a client
 * (RFC 6749 §4.4).
 */
export function isCurrent(
  { clientId, subject }: Pick<AccessToken, 'clientId' | 'subject'>,
  { registry, clientless }: Pick<BaseParts, 'registry' | 'clientless'>,
): boolean {
  const isEnabled = registry.client(clientId)?.enabled === true || clientless.has(clientId)
  return isEnabled && (registry.user(subject) !== undefined || registry.client(subject) !== undefined)
}

/** Reads the claims of a token that this server signed. Undefined for an id_token, which has no `jti`, `client_id` and `scope`. */
export function readClaims(claims: Verdict['token']['claims']): AccessToken | undefined {
  const { jti, client_id: clientId, scope, sub: subject, aud, iat, exp, nbf, cnf, act } = claims
  if (typeof jti !== 'string' || typeof clientId !== 'string') return undefined
  const details = (claims.authorization_details ?? []) as AuthorizationDetails
  const unscoped = scope === undefined && details.length > 0
  if (typeof subject !== 'string' || (typeof scope !== 'string' && !unscoped)) return undefined
  return {
    jti,
    clientId,
    subject,
    scope: typeof scope === 'string' ? scope.split(' ') : [],
    details,
    audience: aud as string | string[],
    issuedAt: iat as number,
    expiresAt: exp as number,
    notBefore: nbf as number,
    jkt: (cnf as { jkt?: string } | undefined)?.jkt,
    certificate: boundCertificate(cnf),
    userinfoClaims: (claims.userinfo_claims ?? []) as readonly string[],
    login: loginOf(claims),
    act: act as Actor | undefined,
  }
}

/** Returns the login that `acr` and `auth_time` describe. The methods are not in the token. */
function loginOf({ acr, auth_time: authTime }: Verdict['token']['claims']): Authentication | undefined {
  if (!isKnownAcr(acr) || typeof authTime !== 'number') return undefined
  return { loginAt: authTime * 1000, acr, amr: [] }
}

/** Returns the error for a token that is not accepted (RFC 6750 §3.1). */
export function invalidToken(
  description: string,
  rule: Citation = 'RFC 6750 §3.1',
  evidence?: string,
): OAuthError<'invalid_token'> {
  return new OAuthError('invalid_token', { description, rule, evidence })
}

/**
 * Reads `token_type` of a token request, with which a client asks for a token of type `mac`. The draft does not say how
 * a client asks for one.
 * @throws OAuthError `invalid_request`
 */
export function wantedTokenType(
  asked: string | undefined,
  {
    offered,
    jkt,
    certificateBound = false,
  }: {
    readonly offered: boolean
    readonly jkt: string | undefined
    /** True for a client whose tokens are bound to its certificate. */
    readonly certificateBound?: boolean
  },
): 'mac' | undefined {
  const refused = (description: string, rule: Citation) =>
    new OAuthError('invalid_request', { description, rule })
  const type = asked?.toLowerCase()
  if (type === undefined || type === 'bearer') return undefined
  if (type !== 'mac' || !offered) {
    const known = offered ? 'Bearer or mac' : 'Bearer'
    throw refused(`token_type must be ${known}, or left out`, 'RFC 6749 §7.1')
  }
  if (certificateBound) {
    throw refused('tokens of this client are bound to its certificate: ask for no mac token', 'RFC 8705 §3.4')
  }
  if (jkt === undefined) return type
  throw refused('a token of type mac has its own key: send no DPoP proof', `${MAC_DRAFT} §5.1`)
}

/** Makes a reader that also reads tokens of type `mac`. For endpoints that get a token as a parameter, without a MAC. */
export function withMacTokens(
  readAccessToken: ReadAccessToken,
  { ports: { macTokens: tokens }, now, ...names }: NamingParts,
): ReadAccessToken {
  return async token => {
    const macToken = tokens?.find(token)
    const claims = macToken && readClaims(macToken.claims)
    const read = claims && (await withOwnNames(claims, names))
    if (read === undefined || read.expiresAt * 1000 <= now()) return readAccessToken(token)
    return { ...read, tokenType: 'mac' }
  }
}

export interface HintedLogin {
  readonly subject: string
  /** Ids of the clients that the id_token was issued to. */
  readonly audience: readonly unknown[]
}

type HintParts = Pick<NamingParts, 'issuer' | 'keyring' | 'registry' | 'subjects' | 'now'>

/**
 * Reads an id_token_hint. Undefined when this server did not issue it as an id_token. An expired id_token is accepted
 * (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2).
 */
export async function readIdTokenHint(hint: string, parts: HintParts): Promise<HintedLogin | undefined> {
  const verdict = await verified(hint, parts)
  if (verdict?.checks.every(each => each.ok || each.name === 'exp') !== true) return undefined
  const { sub, aud, auth_time: authTime, scope } = verdict.token.claims
  // Refuse access tokens: their signature is the same, but others than the client see them.
  if (typeof sub !== 'string' || authTime === undefined || scope !== undefined) return undefined
  const client = typeof aud === 'string' ? parts.registry.client(aud) : undefined
  const subject = await parts.subjects.subjectOf(client, sub)
  return subject === undefined ? undefined : { subject, audience: Array.isArray(aud) ? aud : [aud] }
}

async function verified(hint: string, { issuer, keyring, registry, now }: HintParts) {
  try {
    const { aud } = decodeJwt(hint).claims
    const keys = idTokenVerificationKeys(keyring, typeof aud === 'string' ? registry.client(aud) : undefined)
    return keys && (await verifyJwt(hint, keys, { issuer, now: now() }))
  } catch (error) {
    if (error instanceof TokenFormatError) return undefined
    throw error
  }
}
