import { createHash } from 'node:crypto'
import { shown } from '../../oauth/check.js'
import type { Client } from '../../oauth/client.js'
import { type DecodedJwt, decodeJwt, TokenFormatError } from '../../tokens/decode.js'
import type { JwkSet } from '../../tokens/keys.js'
import { verifyJwt } from '../../tokens/verify.js'
import {
  ASSERTION_CLOCK_SKEW,
  type AssertionExpectations,
  checkExpiry,
  checkReplay,
  MAX_ASSERTION_LENGTH,
  type Refuse,
  refuseWith,
  type VerifiedAssertion,
} from './assertion.js'

/** An issuer of JWT assertions that are grants. */
export interface JwtAssertionIssuer {
  readonly issuer: string
  readonly jwks: JwkSet
}

/** A JWT assertion that holds, with everything it says. */
export interface VerifiedJwtAssertion extends VerifiedAssertion {
  readonly claims: DecodedJwt['claims']
}

/** `client_assertion_type` of a JWT (RFC 7523 §2.2). */
export const JWT_CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** `grant_type` of a JWT assertion (RFC 7523 §2.1). */
export const JWT_BEARER_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/**
 * Verifies a JWT assertion that is a grant (RFC 7523 §3): signed by a registered issuer with a key of its registered
 * set, for this server, within its times, for the first time.
 * @throws OAuthError `invalid_grant`
 */
export async function verifyJwtAssertion(
  assertion: string,
  expected: AssertionExpectations & { readonly issuers: readonly JwtAssertionIssuer[] },
): Promise<VerifiedJwtAssertion> {
  const refuse = refuseWith('invalid_grant', 'RFC 7523 §3')
  const decoded = decode(assertion, refuse)
  const { iss } = decoded.claims
  const issuer = expected.issuers.find(each => each.issuer === iss)
  if (issuer === undefined) throw refuse('iss is not a registered assertion issuer', `iss: ${shown(iss)}`)
  return verify(assertion, decoded, issuer, expected, refuse)
}

/** The client that a client assertion says it is of; to be looked up, not to be trusted (RFC 7521 §4.2). */
export function assertedClientId(assertion: string): string | undefined {
  if (assertion.length > MAX_ASSERTION_LENGTH) return undefined
  try {
    const { sub } = decodeJwt(assertion).claims
    return typeof sub === 'string' ? sub : undefined
  } catch (error) {
    if (error instanceof TokenFormatError) return undefined
    throw error
  }
}

/**
 * Verifies the assertion a client authenticates with (`private_key_jwt`, RFC 7523 §3): iss and sub are its client_id,
 * and the key is one of its registered set.
 * @throws OAuthError `invalid_client`
 */
export async function verifyClientAssertion(
  assertion: string,
  expected: AssertionExpectations & { readonly client: Pick<Client, 'client_id' | 'jwks'> },
): Promise<VerifiedJwtAssertion> {
  const refuse = refuseWith('invalid_client', 'RFC 7523 §3')
  const { client_id: id, jwks } = expected.client
  const decoded = decode(assertion, refuse)
  const { iss, sub } = decoded.claims
  if (jwks === undefined) throw refuse('the client has no registered keys')
  if (iss !== id) throw refuse('iss is not the client_id', `iss: ${shown(iss)}`)
  if (sub !== id) throw refuse('sub is not the client_id', `sub: ${shown(sub)}`)
  return verify(assertion, decoded, { issuer: id, jwks: jwks as JwkSet }, expected, refuse)
}

function decode(assertion: string, refuse: Refuse): DecodedJwt {
  if (assertion.length > MAX_ASSERTION_LENGTH) throw refuse('the assertion is longer than 64 KiB')
  try {
    return decodeJwt(assertion)
  } catch (error) {
    if (error instanceof TokenFormatError) throw refuse(`the assertion is no JWT: ${error.message}`)
    throw error
  }
}

async function verify(
  assertion: string,
  { claims, parts }: DecodedJwt,
  { issuer, jwks }: JwtAssertionIssuer,
  expected: AssertionExpectations,
  refuse: Refuse,
): Promise<VerifiedJwtAssertion> {
  const { now, audiences } = expected
  const tolerance = ASSERTION_CLOCK_SKEW / 1000
  const { checks } = await verifyJwt(assertion, { kind: 'jwks', jwks }, { issuer, now, tolerance })
  const failed = checks.find(each => !each.ok)
  if (failed !== undefined) {
    throw refuse(`the ${failed.name} of the assertion is not good`, failed.detail, failed.rule)
  }
  if (typeof claims.sub !== 'string' || claims.sub === '') throw refuse('the assertion has no sub')
  const named: readonly unknown[] = Array.isArray(claims.aud) ? claims.aud : [claims.aud]
  if (!named.some(each => audiences.some(ours => ours === each))) {
    throw refuse('aud does not name this authorization server', `aud: ${named.map(shown).join(' ')}`)
  }
  // verifyJwt has found exp to be a number.
  const expiresAt = (claims.exp as number) * 1000
  checkExpiry(expiresAt, expected, refuse)
  if (claims.jti !== undefined && (typeof claims.jti !== 'string' || claims.jti === '')) {
    throw refuse('jti is not a string', `jti: ${shown(claims.jti)}`, 'RFC 7519 §4.1.7')
  }
  const verified = {
    issuer,
    subject: claims.sub,
    // Without its signature: of some algorithms a stranger can make a second valid one.
    id: claims.jti ?? createHash('sha256').update(`${parts[0]}.${parts[1]}`).digest('base64url'),
    expiresAt,
    claims,
  }
  checkReplay(verified, expected, refuse)
  return verified
}
