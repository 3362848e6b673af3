import { createHash, createSecretKey } from 'node:crypto'
import {
  CONTENT_ENCRYPTIONS,
  type ContentEncryption,
  encryptionKeyKind,
} from '../../../protocol/oauth/algorithms.js'
import { REQUEST_OBJECT_TYPE } from '../../../protocol/oauth/authorization-request.js'
import { type Check, check, shown } from '../../../protocol/oauth/check.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { type AuthorizationErrorCode, OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import {
  type DecodedJwt,
  decodeJweHeader,
  decodeJwt,
  isEncrypted,
  TokenFormatError,
} from '../../../protocol/tokens/decode.js'
import { contentKey, type DecryptionKeys, decryptJwe } from '../../../protocol/tokens/encryption.js'
import type { VerificationKeys } from '../../../protocol/tokens/keys.js'
import { checkClaims, verifyJwt } from '../../../protocol/tokens/verify.js'
import type { JsonObject } from '../../../protocol/values.js'
import type { Publish } from '../events.js'
import { acceptedAlgorithms } from '../profiles/refusals.js'
import { type ClientKeys, ClientKeysError } from '../stores/client-keys.js'
import { canKeyHs256 } from '../tokens/client-responses.js'

/** The demands on a request object. They may depend on its claims, which are not verified then. */
type DemandsOn = (claims: JsonObject) => ObjectDemands

interface ObjectDemands {
  readonly client: Client
  /** The issuer of this server, which `aud` must name. */
  readonly issuer: string
  readonly now: number
  /** The only algorithm that the client is registered for. Undefined: each that its keys allow. */
  readonly registered: string | undefined
  /** True where an object with alg none is accepted. */
  readonly mayBeUnsigned: boolean
  /** True where `client_id` must be in the object (RFC 9101 §5). */
  readonly needsClientId: boolean
  /** True where aud, exp and nbf are required, and limit the lifetime. */
  readonly strict: boolean
}

/** The result of verifying a request object. */
export interface ObjectVerdict {
  readonly alg: string
  readonly claims: JsonObject
  /** The `jti`, or the hash of the signed text. */
  readonly id: string
  readonly checks: readonly Check[]
  /** True when a key of the client signed the object. */
  readonly isAuthentic: boolean
  readonly problem?: OAuthError<AuthorizationErrorCode>
}

/** Tolerance for a client whose clock is ahead, in seconds. It does not extend an expiry. */
const CLOCK_SKEW = 30

/** Longest lifetime of a strict request object, in seconds (FAPI 2.0 Message Signing §5.3.1). */
const STRICT_LIFETIME = 3600

const TYPES: readonly unknown[] = [
  undefined,
  'jwt',
  REQUEST_OBJECT_TYPE,
  `application/${REQUEST_OBJECT_TYPE}`,
]

/**
 * Verifies a decrypted request object: its type, its signature by a key of the client, and its claims (RFC 9101 §6.2, §10).
 * @throws OAuthError `invalid_request_object` for a text that is no JWT
 */
export async function verifyObject(
  jwt: string,
  demandsOn: DemandsOn,
  ports: { readonly clientKeys: ClientKeys; readonly publish: Publish },
): Promise<ObjectVerdict> {
  const decoded = decode(jwt)
  const { header, claims, parts } = decoded
  const demands = demandsOn(claims)
  const alg = shown(header.alg)
  const signature = await checkSignature(jwt, decoded, demands, ports)
  const checks = [
    checkType(header.typ),
    checkAlgorithm(alg, demands),
    signature,
    ...claimChecks(claims, demands),
  ]
  const failed = checks.find(each => !each.ok)
  const isAuthentic = checks.slice(0, 3).every(each => each.ok) && alg !== 'none'
  const signed = createHash('sha256').update(`${parts[0]}.${parts[1]}`).digest('base64url')
  const id = typeof claims.jti === 'string' && claims.jti !== '' ? claims.jti : signed
  const verdict = { alg, claims, id, checks, isAuthentic }
  return failed === undefined ? verdict : { ...verdict, problem: refusalOf(failed) }
}

function refusalOf({ name, detail, rule }: Check) {
  return invalidObject(`the ${name} of the request object is not good${detail ? `: ${detail}` : ''}`, {
    rule,
    evidence: detail,
  })
}

function decode(jwt: string): DecodedJwt {
  // An unsigned object ends with a dot (RFC 7519 §6.1).
  return decodeJwt(jwt, problem =>
    invalidObject(`the request object is no JWT: ${problem}`, { rule: 'RFC 9101 §4' }),
  )
}

function checkType(typ: unknown): Check {
  const ok = TYPES.includes(typeof typ === 'string' ? typ.toLowerCase() : typ)
  return check('typ', ok, 'RFC 9101 §10.8', shown(typ))
}

/** The fully specified name of EdDSA is the same algorithm (RFC 9864 §2.2). */
const sameName = (alg: string) => (alg === 'Ed25519' ? 'EdDSA' : alg)

function checkAlgorithm(alg: string, { client, registered, mayBeUnsigned }: ObjectDemands): Check {
  const accepted = acceptedAlgorithms(client)
  if (accepted !== undefined && !accepted.names.includes(alg)) {
    return check('alg', false, accepted.rule, `${alg}; the profile has ${accepted.names.join(', ')}`)
  }
  if (alg === 'none' && !mayBeUnsigned) {
    return check('alg', false, 'RFC 9101 §10.5', 'none; this request must be signed')
  }
  const ok = registered === undefined || sameName(registered) === sameName(alg)
  const detail = ok ? alg : `${alg}; the client is registered for ${registered}`
  return check('alg', ok, 'OpenID Connect Core §6.3.2', detail)
}

async function checkSignature(
  jwt: string,
  { header: { alg, kid }, parts }: DecodedJwt,
  { client, now }: ObjectDemands,
  { clientKeys, publish }: { readonly clientKeys: ClientKeys; readonly publish: Publish },
): Promise<Check> {
  if (alg === 'none') {
    const ok = parts[2] === ''
    return check(
      'signature',
      ok,
      'RFC 7518 §3.6',
      ok ? 'none' : 'alg none has no signature, and this has one',
    )
  }
  try {
    const keys = await keysFor()
    if (keys === undefined)
      return check('signature', false, 'RFC 9101 §6.2', 'HS256 needs a client_secret of 32 bytes')
    const { checks } = await verifyJwt(jwt, keys, { now, mayLackExp: true })
    const [{ ok, detail } = { ok: false, detail: undefined }] = checks
    return check('signature', ok, 'RFC 9101 §6.2', detail)
  } catch (error) {
    if (!(error instanceof ClientKeysError)) throw error
    return check('signature', false, 'RFC 9101 §10.2', error.message)
  }

  async function keysFor(): Promise<VerificationKeys | undefined> {
    if (alg === 'HS256') {
      if (!canKeyHs256(client)) return undefined
      return { kind: 'key', key: createSecretKey(Buffer.from(client.client_secret ?? '')), alg }
    }
    const jwks = await clientKeys(client, { publish, kid: typeof kid === 'string' ? kid : undefined })
    return { kind: 'jwks', jwks }
  }
}

function claimChecks(claims: JsonObject, demands: ObjectDemands): readonly Check[] {
  const { client, issuer, now, needsClientId, strict } = demands
  const { client_id: id } = client
  const seconds = now / 1000
  const checks: Check[] = []
  const own = (name: string) => Object.hasOwn(claims, name)
  if (needsClientId || own('client_id')) {
    checks.push(check('client_id', claims.client_id === id, 'RFC 9101 §6.3', shown(claims.client_id)))
  }
  if (own('iss')) checks.push(check('iss', claims.iss === id, 'RFC 9101 §4', shown(claims.iss)))
  // Such an object could serve as an assertion of the client, and an assertion as such an object.
  if (own('sub') && claims.sub === id) {
    checks.push(check('sub', false, 'RFC 9101 §10.8', 'the client_id'))
  }
  const audience = strict || own('aud') ? { audience: issuer } : {}
  const standard = checkClaims(claims, { ...audience, now, tolerance: CLOCK_SKEW, mayLackExp: !strict })
  checks.push(...standard.map(each => (each.name === 'exp' ? { ...each, ok: isAhead(claims.exp) } : each)))
  if (strict) checks.push(checkLifetime(claims))
  if (own('jti')) {
    const ok = typeof claims.jti === 'string' && claims.jti !== ''
    checks.push(check('jti', ok, 'RFC 7519 §4.1.7', shown(claims.jti)))
  }
  return checks

  function isAhead(exp: unknown): boolean {
    return typeof exp === 'number' && Number.isFinite(exp) && seconds < exp
  }

  /** Checks that nbf is there and recent, and that exp follows within the hour. */
  function checkLifetime({ nbf, exp }: JsonObject): Check {
    const rule = 'FAPI 2.0 Message Signing §5.3.1'
    if (typeof nbf !== 'number') return check('nbf', false, rule, 'missing')
    if (seconds - nbf > STRICT_LIFETIME) return check('nbf', false, rule, 'more than 60 minutes ago')
    const ok = typeof exp === 'number' && exp - nbf <= STRICT_LIFETIME
    return check('lifetime', ok, rule, ok ? `${Math.round(exp - nbf)} s` : 'more than 60 minutes')
  }
}

/** A request object without its encryption. */
interface OpenedObject {
  readonly jwt: string
  /** The algorithms of an encrypted object, such as `RSA-OAEP-256 A128GCM`. */
  readonly encryption: string | undefined
}

/**
 * Decrypts a request object, with the server's key or with the client's secret (OpenID Connect Core §10.2). One that is not
 * encrypted stays as it is.
 * @throws OAuthError `invalid_request_object`
 */
export async function openObject(
  object: string,
  client: Client,
  decryptionKeys: DecryptionKeys,
): Promise<OpenedObject> {
  if (!isEncrypted(object)) return { jwt: object, encryption: undefined }
  const { alg, enc, kid } = headerOf(object)
  const encryption = `${shown(alg)} ${shown(enc)}`
  const refuse = (problem: string) =>
    invalidObject(`the request object cannot be decrypted: ${problem}`, {
      rule: 'RFC 9101 §6.1',
      evidence: encryption,
    })
  const key = await decryptionKey()
  try {
    return { jwt: await decryptJwe(object, key), encryption }
  } catch (error) {
    throw refuse((error as Error).message)
  }

  async function decryptionKey() {
    const kind = encryptionKeyKind(alg)
    if (kind !== undefined) {
      const keys = await decryptionKeys(kind)
      const named = kid === undefined ? keys[0] : keys.find(each => each.kid === kid)
      if (named === undefined) throw refuse('kid names no key of this server')
      return named.privateKey
    }
    if (alg !== 'dir') throw refuse('this server does not support its alg')
    const known = CONTENT_ENCRYPTIONS.find((each): each is ContentEncryption => each === enc)
    if (known === undefined) throw refuse('this server does not support its enc')
    if (client.client_secret === undefined) throw refuse('alg dir needs a client_secret')
    return contentKey(client.client_secret, known)
  }
}

function headerOf(object: string) {
  try {
    return decodeJweHeader(object)
  } catch (error) {
    if (!(error instanceof TokenFormatError)) throw error
    throw invalidObject(`the request object is no JWE: ${error.message}`, { rule: 'RFC 9101 §6.1' })
  }
}

/** Makes the error for a bad request object (RFC 9101 §7, OpenID Connect Core §3.1.2.6). */
export function invalidObject(
  description: string,
  { rule, evidence }: { readonly rule: Citation; readonly evidence?: string | undefined },
): OAuthError<'invalid_request_object'> {
  return new OAuthError('invalid_request_object', { description, rule, evidence })
}

/** Makes the error for a bad request_uri. */
export function invalidUri(
  description: string,
  { rule, evidence }: { readonly rule: Citation; readonly evidence?: string | undefined },
): OAuthError<'invalid_request_uri'> {
  return new OAuthError('invalid_request_uri', { description, rule, evidence })
}
