import { createHash, createSecretKey } from 'node:crypto'
import { bounded } from '../../../protocol/events.js'
import { algorithmsOfSecret, isSecretAlgorithm } from '../../../protocol/oauth/algorithms.js'
import { shown } from '../../../protocol/oauth/check.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { but, otherIssuer } from '../../../protocol/second-reading.js'
import { type DecodedJwt, decodeIfJwt, decodeJwt } from '../../../protocol/tokens/decode.js'
import type { JwkSet, VerificationKeys } from '../../../protocol/tokens/keys.js'
import { verifyJwt } from '../../../protocol/tokens/verify.js'
import { ClientKeysError, type KeyedClient } from '../stores/client-keys.js'
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

export interface JwtAssertionIssuer {
  readonly issuer: string
  readonly jwks: JwkSet
}

/** A client with what its assertions are verified by. */
type AssertingClient = KeyedClient & Pick<Client, 'client_secret' | 'token_endpoint_auth_method'>

/** A verified JWT assertion, with all its claims. */
export interface VerifiedJwtAssertion extends VerifiedAssertion {
  readonly claims: DecodedJwt['claims']
}

/** `client_assertion_type` of a JWT (RFC 7523 §2.2). */
export const JWT_CLIENT_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** `grant_type` of a JWT assertion (RFC 7523 §2.1). */
export const JWT_BEARER_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/**
 * Verifies a JWT assertion that is a grant (RFC 7523 §3): a registered issuer signed it with a registered key, for this
 * server; it is within its times, and not used before.
 * @throws OAuthError `invalid_grant`
 */
export async function verifyJwtAssertion(
  assertion: string,
  expected: AssertionExpectations & {
    readonly issuers: readonly JwtAssertionIssuer[]
    /** True when a client may present the ID-JAG that was issued to a client. */
    readonly isGrantOf: (issuedTo: unknown, clientId: string) => boolean
  },
): Promise<VerifiedJwtAssertion> {
  const refuse = refuseWith('invalid_grant', 'RFC 7523 §3')
  const decoded = decode(assertion, refuse)
  const { iss } = decoded.claims
  const issuer = expected.issuers.find(each => each.issuer === iss)
  if (issuer === undefined) throw refuse('iss is not a registered assertion issuer', `iss: ${shown(iss)}`)
  const keys: VerificationKeys = { kind: 'jwks', jwks: issuer.jwks }
  const by = { issuer: issuer.issuer, keys }
  if (typeOf(decoded, [ID_JAG], refuse) !== ID_JAG) return verify(assertion, decoded, by, expected, refuse)
  const { client_id: clientId, aud } = decoded.claims
  if (!expected.isGrantOf(clientId, expected.clientId)) {
    throw refuse('the ID-JAG was issued to another client', `client_id: ${shown(clientId)}`, ID_JAG_RULE)
  }
  if (Array.isArray(aud) && aud.length !== 1)
    throw refuse('the aud of an ID-JAG names one server', undefined, ID_JAG_RULE)
  // Its audience is this issuer alone, and no address of an endpoint.
  return verify(assertion, decoded, by, { ...expected, audiences: expected.audiences.slice(0, 1) }, refuse)
}

const ID_JAG_RULE = 'MCP Enterprise-Managed Authorization §5'

/** The type of an Identity Assertion JWT Authorization Grant, which is for one client and one server. */
const ID_JAG = 'oauth-id-jag+jwt'

/** The type of a client assertion (draft-ietf-oauth-rfc7523bis §4). Many clients write `JWT`, or nothing. */
const CLIENT_ASSERTION = 'client-authentication+jwt'

/**
 * Returns the type of a JWT: `jwt`, which is the default, or one of those that are expected.
 * @throws OAuthError for a JWT that was made for something else, such as a security event (RFC 8725 §3.12)
 */
function typeOf(
  { header: { typ = 'JWT' } }: DecodedJwt,
  expected: readonly string[],
  refuse: Refuse,
): string {
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : ''
  if (name === 'jwt' || expected.includes(name)) return name
  throw refuse(
    'the JWT was made for something else than an assertion',
    `typ: ${shown(typ)}`,
    'RFC 8725 §3.12',
  )
}

/** Returns the client_id that a client assertion claims. It is for the look-up only: nothing is verified (RFC 7521 §4.2). */
export function assertedClientId(assertion: string): string | undefined {
  const sub = assertion.length > MAX_ASSERTION_LENGTH ? undefined : decodeIfJwt(assertion)?.claims.sub
  return typeof sub === 'string' ? sub : undefined
}

/** The method of a client assertion (OpenID Connect Core §9): its algorithm says if the secret signed it, or a key. */
export function assertionMethod(assertion: string): 'client_secret_jwt' | 'private_key_jwt' {
  const alg = decodeIfJwt(assertion)?.header.alg
  return typeof alg === 'string' && alg.startsWith('HS') ? 'client_secret_jwt' : 'private_key_jwt'
}

/** The secret of a client as a key; undefined where the client may not sign by it. */
function secretKey(
  { client_secret: secret, token_endpoint_auth_method: method }: AssertingClient,
  alg: unknown,
): VerificationKeys | undefined {
  if (method !== 'client_secret_jwt' || secret === undefined || !isSecretAlgorithm(alg)) return undefined
  if (!algorithmsOfSecret(secret).includes(alg)) return undefined
  return { kind: 'key', key: createSecretKey(secret, 'utf8'), alg }
}

/**
 * Verifies the assertion that a client authenticates with (`private_key_jwt` or `client_secret_jwt`, RFC 7523 §3). Its iss and
 * sub must be the client_id, and its key must be a registered key of the client, or its secret.
 * @throws OAuthError `invalid_client`
 */
export async function verifyClientAssertion(
  assertion: string,
  expected: AssertionExpectations & {
    readonly client: AssertingClient
    /** @throws ClientKeysError */
    readonly keysOf: (kid: string | undefined) => Promise<JwkSet>
  },
): Promise<VerifiedJwtAssertion> {
  const refuse = refuseWith('invalid_client', 'RFC 7523 §3')
  const { client_id: id, jwks, jwks_uri: address } = expected.client
  const decoded = decode(assertion, refuse)
  typeOf(decoded, [CLIENT_ASSERTION], refuse)
  const { iss, sub } = decoded.claims
  const { alg, kid } = decoded.header
  const method = assertionMethod(assertion)
  const shared = method === 'client_secret_jwt' ? secretKey(expected.client, alg) : undefined
  const isRegistered = method === 'client_secret_jwt' ? shared !== undefined : (jwks ?? address) !== undefined
  if (!isRegistered) {
    throw refuse(
      `${method} is a method this client is not registered for`,
      `alg: ${shown(alg)}`,
      'RFC 7591 §2',
    )
  }
  if (iss !== id) throw refuse('iss is not the client_id', `iss: ${shown(iss)}`)
  if (sub !== id) throw refuse('sub is not the client_id', `sub: ${shown(sub)}`)
  try {
    const keys = shared ?? {
      kind: 'jwks',
      jwks: await expected.keysOf(typeof kid === 'string' ? kid : undefined),
    }
    return await verify(assertion, decoded, { issuer: id, keys }, expected, refuse)
  } catch (error) {
    if (error instanceof ClientKeysError) throw refuse(error.message, undefined, 'RFC 7591 §2')
    throw error
  }
}

function decode(assertion: string, refuse: Refuse): DecodedJwt {
  if (assertion.length > MAX_ASSERTION_LENGTH) throw refuse('the assertion is longer than 64 KiB')
  return decodeJwt(assertion, problem => refuse(`the assertion is no JWT: ${problem}`))
}

function checkAudience(aud: unknown, expected: AssertionExpectations, refuse: Refuse): void {
  const { audiences, asString = false, rule } = expected
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  const evidence = `aud: ${named.map(shown).join(' ')}`
  if (asString && Array.isArray(aud)) {
    throw refuse(`aud is a list; this client names ${audiences[0]} alone, as a string`, evidence, rule)
  }
  if (named.some(each => audiences.some(ours => ours === each))) return
  const only = asString ? `; it must be the issuer, ${audiences[0]}` : ''
  const near = audiences.map(ours => otherIssuer(named[0], ours)).find(each => each?.startsWith('they '))
  throw refuse(`aud does not name this authorization server${only}${but(near)}`, evidence, rule)
}

async function verify(
  assertion: string,
  { header, claims, parts }: DecodedJwt,
  { issuer, keys }: { readonly issuer: string; readonly keys: VerificationKeys },
  expected: AssertionExpectations,
  refuse: Refuse,
): Promise<VerifiedJwtAssertion> {
  const { now, algorithms } = expected
  if (algorithms && !algorithms.names.includes(String(header.alg))) {
    const problem = `the assertion must be signed by ${algorithms.names.join(', ')}`
    throw refuse(problem, `alg: ${shown(header.alg)}`, algorithms.rule)
  }
  const tolerance = ASSERTION_CLOCK_SKEW / 1000
  const { checks } = await verifyJwt(assertion, keys, { issuer, now, tolerance })
  const failed = checks.find(each => !each.ok)
  if (failed !== undefined) {
    const why = failed.detail === undefined ? '' : `: ${bounded(failed.detail)}`
    throw refuse(`the ${failed.name} of the assertion is not good${why}`, undefined, failed.rule)
  }
  if (typeof claims.sub !== 'string' || claims.sub === '') throw refuse('the assertion has no sub')
  checkAudience(claims.aud, expected, refuse)
  // verifyJwt has checked that exp is a number.
  const expiresAt = (claims.exp as number) * 1000
  checkExpiry(expiresAt, expected, refuse)
  if (claims.jti !== undefined && (typeof claims.jti !== 'string' || claims.jti === '')) {
    throw refuse('jti is not a string', `jti: ${shown(claims.jti)}`, 'RFC 7519 §4.1.7')
  }
  const verified = {
    issuer,
    subject: claims.sub,
    // The hash leaves the signature out: some algorithms let anyone derive a second valid signature.
    id: claims.jti ?? createHash('sha256').update(`${parts[0]}.${parts[1]}`).digest('base64url'),
    expiresAt,
    claims,
  }
  checkReplay(verified, expected, refuse)
  return verified
}
