import { createSecretKey, hash } from 'node:crypto'
import { calculateJwkThumbprint, compactVerify, createLocalJWKSet, errors, importJWK, type JWK } from 'jose'
import { ASYMMETRIC_ALGORITHMS } from '../oauth/algorithms.js'
import { type Check, check, shown } from '../oauth/check.js'
import { sameResource } from '../oauth/scope.js'
import {
  cutSignature,
  idTokenMark,
  otherDate,
  otherIssuer,
  otherSecrets,
  otherSignatures,
} from '../second-reading.js'
import { secretsEqual } from '../secrets.js'
import { isJsonObject, type JsonObject } from '../values.js'
import { type DecodedJwt, decodeJwt } from './decode.js'
import { type JwkSet, type KeyForAlgorithm, signatureAlgorithms, type VerificationKeys } from './keys.js'
import { type SdJwt, sdHash } from './sd-jwt.js'

/** The expected values of a token. Absent members are not checked. */
export interface Expectations {
  readonly issuer?: string
  readonly audience?: string
  /** The resource that the token must name (RFC 8707 §2); a slash after a bare origin makes no difference. */
  readonly resource?: string
  readonly nonce?: string
  /** The access token beside this id_token, for at_hash. */
  readonly accessToken?: string
  /** The code beside this id_token, for c_hash, which is required then (OpenID Connect Core §3.3.2.11). */
  readonly code?: string
  readonly subject?: string
  /** True for an id_token of the client `audience`: azp must name the client, and iat and sub are required. */
  readonly idToken?: boolean
  /** True where a token without exp is accepted: RFC 7519 §4.1.4 makes the claim optional. */
  readonly mayLackExp?: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Allowed clock difference in seconds; default 0. */
  readonly tolerance?: number
}

/** The checks of a token, in order. `ok` is true when all of them passed. */
export interface Verdict {
  readonly ok: boolean
  readonly checks: readonly Check[]
  readonly token: DecodedJwt
}

async function verifyWith(token: string, { key, alg }: KeyForAlgorithm): Promise<void> {
  await compactVerify(token, key, { algorithms: [alg] })
}

/** Verifies with each key in turn, for keys without a kid. @throws the error of the last key */
async function verifyWithAny(
  token: string,
  [first, ...others]: readonly [KeyForAlgorithm, ...KeyForAlgorithm[]],
): Promise<void> {
  let refusal: unknown
  for (const each of [first, ...others]) {
    try {
      return await verifyWith(token, each)
    } catch (error) {
      refusal = error
    }
  }
  throw refusal
}

/** Checks the signature of a token. The first check of a verdict. */
async function checkSignature(token: string, decoded: DecodedJwt, keys: VerificationKeys): Promise<Check> {
  const { header, parts } = decoded
  const { alg, kid } = header
  const rule = 'RFC 7515 §5.2'
  const named = typeof kid === 'string' ? `key ${kid}` : 'the key'
  const refused = (problem: string) => check('signature', false, rule, problem)
  // RFC 7797 §7. jose allows b64 false, because it is valid for a JWS that is not a JWT.
  if (header.b64 === false) return refused('a JWT may not have b64 false')
  // RFC 7515 §4.1.11. jose knows the extension b64, which is refused above.
  if (header.crit !== undefined) {
    return check('signature', false, 'RFC 7515 §4.1.11', critProblem(header.crit))
  }
  const refusedAgain = async (problem: string) => {
    const other = await otherSigning(decoded, keys)
    return refused(other === undefined ? problem : `${problem}; ${other}`)
  }
  // The last character has unused bits. Without this check, an altered signature could pass (RFC 7515 §2).
  if (Buffer.from(parts[2], 'base64url').toString('base64url') !== parts[2]) {
    return refusedAgain('the signature is not base64url without padding')
  }
  try {
    if (keys.kind === 'key') await verifyWith(token, keys)
    else if (keys.kind === 'keys') await verifyWithAny(token, keys.keys)
    else await compactVerify(token, knownSet(keys.jwks).imported, { algorithms: [...ASYMMETRIC_ALGORITHMS] })
    return check('signature', true, rule, `${shown(alg)}, verified with ${named}`)
  } catch (error) {
    if (keys.kind === 'jwks' && error instanceof errors.JWKSNoMatchingKey) {
      const reason = misfitOf(keys.jwks.keys.filter(isAsymmetric), header)
      return refusedAgain(`no published key fits ${named} (alg ${shown(alg)}): ${reason}`)
    }
    const possible = keys.kind === 'key' ? algorithmsOf(keys.key) : undefined
    if (possible !== undefined && isAsymmetricAlgorithm(alg) && !possible.includes(shown(alg)))
      return refused(`this key does not verify ${shown(alg)}: it does ${possible.join(', ') || 'nothing'}`)
    const problem = signatureProblem(error, shown(alg), named)
    return error instanceof errors.JOSEAlgNotAllowed ? refused(problem) : refusedAgain(problem)
  }
}

/** The signature algorithms of an asymmetric key; undefined for a secret, and for a key of the Web Crypto API. */
const algorithmsOf = (key: KeyForAlgorithm['key']): readonly string[] | undefined =>
  'export' in key && key.type !== 'secret' ? signatureAlgorithms(key) : undefined

const isAsymmetricAlgorithm = (alg: unknown) => ASYMMETRIC_ALGORITHMS.some(each => each === alg)

/** Most keys of a set that are tried for a refused signature. A stranger chooses how often. */
const MAX_TRIED = 8

interface RsaSize {
  readonly modulusLength?: number
}

/** A key that may have signed a token, with its JWK where it is of a set. */
interface Candidate extends KeyForAlgorithm {
  readonly jwk?: JWK
}

/** The keys of a set that could have signed by the algorithm of a token, whatever their name. */
async function candidatesOf({ header: { alg } }: DecodedJwt, keys: VerificationKeys): Promise<Candidate[]> {
  if (keys.kind === 'key') return [keys]
  if (keys.kind === 'keys') return keys.keys.slice(0, MAX_TRIED)
  const name = ASYMMETRIC_ALGORITHMS.find(each => each === alg)
  if (name === undefined) return []
  const { kty, crv } = wantedBy(alg)
  const fitting = keys.jwks.keys.filter(
    each => isAsymmetric(each) && each.kty === kty && (crv === undefined || each.crv === crv),
  )
  const found: Candidate[] = []
  for (const { kid, alg: _alg, use: _use, key_ops: _ops, ...members } of fitting.slice(0, MAX_TRIED)) {
    // A key that cannot be imported has signed nothing.
    const key = await importJWK(members, name).catch(() => undefined)
    if (key !== undefined && !(key instanceof Uint8Array))
      found.push({ key, alg: name, jwk: { ...members, kid } as JWK })
  }
  return found
}

/** Returns how a token was signed whose signature was refused, as a clause; undefined where no reading of it fits. */
export async function otherSigning(token: DecodedJwt, keys: VerificationKeys): Promise<string | undefined> {
  const [header, payload, signature] = token.parts
  const fits = (by: KeyForAlgorithm, read: string) =>
    verifyWith(`${header}.${payload}.${read}`, by).then(
      () => true,
      () => false,
    )
  const { kid } = token.header
  for (const candidate of await candidatesOf(token, keys)) {
    const { key, jwk } = candidate
    for (const { content, remark } of otherSignatures(signature, candidate.alg)) {
      if (await fits(candidate, content)) return `the signature is right, but ${remark}`
    }
    if (jwk !== undefined && jwk.kid !== kid && (await fits(candidate, signature))) {
      const isThumbprint = typeof kid === 'string' && kid === (await calculateJwkThumbprint(jwk))
      const name = jwk.kid === undefined ? 'a published key without a kid' : `the published key ${jwk.kid}`
      return `it is signed with ${name}${isThumbprint ? ', which the token names by its thumbprint (RFC 7638)' : ''}`
    }
    const { modulusLength } = 'export' in key ? (key.asymmetricKeyDetails ?? {}) : (key.algorithm as RsaSize)
    const cut = cutSignature(signature, candidate.alg, modulusLength)
    if (cut !== undefined) return cut
    if (!('export' in key) || key.type !== 'secret') continue
    for (const { content, remark } of otherSecrets(key.export())) {
      if (await fits({ key: createSecretKey(content), alg: candidate.alg }, signature))
        return `it is signed with ${remark}`
    }
  }
  return undefined
}

/** Describes a `crit` member: each name in it is an extension that has to be understood, and none is known here. */
function critProblem(crit: unknown): string {
  const names =
    Array.isArray(crit) && crit.length > 0
      ? crit.map(each => JSON.stringify(shown(each))).join(', ')
      : undefined
  return names === undefined
    ? 'crit is no list of extensions'
    : `crit asks for extensions that are not known here: ${names}`
}

/** A decoded token with the check of its signature. */
interface SignedToken {
  readonly token: DecodedJwt
  readonly signature: Check
}

interface KnownSet {
  readonly imported: ReturnType<typeof createLocalJWKSet>
  readonly number: number
}

/** By the set itself, which never changes: a new set is a new object. */
const knownSets = new WeakMap<JwkSet, KnownSet>()
let sets = 0

function knownSet(jwks: JwkSet): KnownSet {
  const known = knownSets.get(jwks)
  if (known !== undefined) return known
  const imported = createLocalJWKSet({ keys: jwks.keys.filter(isAsymmetric) as JWK[] })
  const made = { imported, number: ++sets }
  knownSets.set(jwks, made)
  return made
}

/**
 * Tokens with a right signature, by the number of the set and their SHA-256: a client shows its token many times, and what a key signed stays
 * signed by it. Of all sets together, and short ones alone, because strangers sign tokens too.
 */
const verified = new Map<string, SignedToken>()
const MAX_VERIFIED = 512
const MAX_REMEMBERED_LENGTH = 4096

/** Decodes a token and checks its signature. @throws TokenFormatError for a text that is not a JWT */
async function readSigned(token: string, keys: VerificationKeys): Promise<SignedToken> {
  const isShort = keys.kind === 'jwks' && token.length <= MAX_REMEMBERED_LENGTH
  const name = isShort ? `${knownSet(keys.jwks).number} ${hash('sha256', token, 'base64')}` : undefined
  const known = name === undefined ? undefined : verified.get(name)
  if (known !== undefined) return known
  const decoded = decodeJwt(token)
  const read = { token: decoded, signature: await checkSignature(token, decoded, keys) }
  if (!read.signature.ok || name === undefined) return read
  if (verified.size >= MAX_VERIFIED) verified.clear()
  verified.set(name, read)
  return read
}

/**
 * True for an asymmetric key. A symmetric key in a published set would let HMAC pass for a signature. Unknown types and
 * members that are not keys are ignored (RFC 7517 §5).
 */
function isAsymmetric(key: JWK | null): boolean {
  return key?.kty === 'RSA' || key?.kty === 'EC' || key?.kty === 'OKP'
}

function signatureProblem(error: unknown, alg: string, named: string): string {
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'several published keys fit; a kid has to name one'
  if (error instanceof errors.JOSEAlgNotAllowed) return `alg ${alg} is not accepted`
  if (error instanceof errors.JWSSignatureVerificationFailed) return `not signed with ${named}`
  if (error instanceof errors.JWKSInvalid)
    return 'the set holds a private key; only its public half belongs there'
  // Versions of Node describe a key that they cannot import differently.
  return error instanceof errors.JOSEError ? error.message : `${named} has wrong or missing members`
}

/** Returns a claim in seconds; NaN when it is not a NumericDate, so that no comparison with it is true. */
function numericDate(value: unknown): number {
  return Number.isFinite(value) ? (value as number) : Number.NaN
}

/** Checks that the audience of an access token has the resource that the client asked for. */
function checkResource(aud: unknown, resource: string): Check {
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud]
  const ok = audiences.some(each => typeof each === 'string' && sameResource(each, resource))
  return check('aud', ok, 'RFC 8707 §2', audiences.map(shown).join(' '))
}

/** Checks the claims in the order of RFC 7519 §4.1, without the signature. */
export function checkClaims(claims: DecodedJwt['claims'], expected: Expectations): Check[] {
  const { tolerance = 0 } = expected
  const now = Math.floor(expected.now / 1000)
  const checks: Check[] = []
  if (expected.issuer !== undefined) {
    const ok = claims.iss === expected.issuer
    const difference = ok ? undefined : otherIssuer(claims.iss, expected.issuer)
    const wanted = ok || claims.iss === undefined ? '' : `, and not ${expected.issuer}`
    const detail = `${shown(claims.iss)}${wanted}${difference === undefined ? '' : `: ${difference}`}`
    checks.push(check('iss', ok, 'RFC 7519 §4.1.1', detail))
  }
  if (expected.subject !== undefined) {
    checks.push(
      check('sub', claims.sub === expected.subject, 'OpenID Connect Core §5.3.2', shown(claims.sub)),
    )
  } else if (expected.idToken) {
    const ok = typeof claims.sub === 'string' && claims.sub !== ''
    checks.push(check('sub', ok, 'OpenID Connect Core §2', shown(claims.sub)))
  }
  if (expected.audience !== undefined) {
    const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud]
    const ok = audiences.includes(expected.audience)
    const mark = ok || expected.idToken ? undefined : idTokenMark(claims)
    const kind = mark === undefined ? '' : `; this is an ID token, which is for its client alone (${mark})`
    checks.push(check('aud', ok, 'RFC 7519 §4.1.3', `${audiences.map(shown).join(' ')}${kind}`))
    if (expected.idToken && (audiences.length > 1 || claims.azp !== undefined)) {
      checks.push(
        check('azp', claims.azp === expected.audience, 'OpenID Connect Core §3.1.3.7', shown(claims.azp)),
      )
    }
  }
  if (expected.resource !== undefined) checks.push(checkResource(claims.aud, expected.resource))
  if (claims.exp !== undefined || !expected.mayLackExp) {
    checks.push(
      check('exp', now < numericDate(claims.exp) + tolerance, 'RFC 7519 §4.1.4', expiry(claims.exp, now)),
    )
  }
  if (claims.nbf !== undefined) {
    const nbf = numericDate(claims.nbf)
    const ok = nbf <= now + tolerance
    checks.push(
      check(
        'nbf',
        ok,
        'RFC 7519 §4.1.5',
        ok ? `valid since ${secondsAgo(nbf, now)}` : early(claims.nbf, 'not yet valid'),
      ),
    )
  }
  if (claims.iat !== undefined || expected.idToken) {
    const iat = numericDate(claims.iat)
    const ok = iat <= now + tolerance
    checks.push(
      check(
        'iat',
        ok,
        'RFC 7519 §4.1.6',
        ok ? `issued ${secondsAgo(iat, now)}` : early(claims.iat, 'issued in the future'),
      ),
    )
  }
  if (expected.nonce !== undefined) {
    const ok = typeof claims.nonce === 'string' && secretsEqual(claims.nonce, expected.nonce)
    const other = claims.nonce === undefined ? 'missing, and the request sent one' : 'another value'
    checks.push(check('nonce', ok, 'OpenID Connect Core §3.1.3.7', ok ? 'the value that was sent' : other))
  }
  return checks
}

/** Describes a past date. A date in the future, within the tolerance, counts as now. */
function secondsAgo(date: number, now: number): string {
  return now <= date ? 'now' : `${Math.floor(now - date)} s ago`
}

/** Describes a date that is no number, or in another unit than seconds; undefined for a NumericDate. */
function wrongDate(date: unknown): string | undefined {
  const other = otherDate(date)
  if (other === undefined && !Number.isFinite(date)) return 'missing or not a number'
  return other
}

function early(date: unknown, problem: string): string {
  const wrong = wrongDate(date)
  if (wrong === undefined) return problem
  return Number.isFinite(date) ? `${problem}; ${wrong}` : wrong
}

function expiry(exp: unknown, now: number): string {
  const wrong = wrongDate(exp)
  if (wrong !== undefined) {
    return Number.isFinite(exp) ? `${wrong}; read as seconds it is thousands of years away` : wrong
  }
  const left = (exp as number) - now
  return left > 0 ? `${Math.floor(left)} s left` : `expired ${Math.floor(-left)} s ago`
}

/** Returns the left half of the hash of an access token or a code, for at_hash and c_hash (OpenID Connect Core §3.1.3.6, §3.3.2.11). */
export function tokenHash(token: string, alg: string): string {
  const bits = /(256|384|512)$/.exec(alg)?.[1] ?? '512'
  const digest = hash(`sha${bits}`, token, 'buffer')
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

/**
 * Verifies a JWT: first the signature, then the claims. A token that decodes gets a verdict and never an exception.
 * @throws TokenFormatError for a text that is not a JWT
 */
export async function verifyJwt(
  token: string,
  keys: VerificationKeys,
  expected: Expectations,
): Promise<Verdict> {
  const { token: decoded, signature } = await readSigned(token, keys)
  const checks = [signature, ...checkClaims(decoded.claims, expected)]
  if (expected.accessToken !== undefined && decoded.claims.at_hash !== undefined) {
    const wanted = tokenHash(expected.accessToken, shown(decoded.header.alg))
    checks.push(check('at_hash', decoded.claims.at_hash === wanted, 'OpenID Connect Core §3.1.3.8'))
  }
  if (expected.code !== undefined) {
    const wanted = tokenHash(expected.code, shown(decoded.header.alg))
    const { c_hash: hash } = decoded.claims
    const problem = hash === undefined ? 'missing' : 'of another code'
    const ok = hash === wanted
    checks.push(check('c_hash', ok, 'OpenID Connect Core §3.3.2.10', ok ? undefined : problem))
  }
  return { ok: checks.every(each => each.ok), checks, token: decoded }
}

/** Most names of keys in a message. */
const MAX_NAMES = 5

/** The type and the curve of the keys of an algorithm (RFC 7518 §3.1, RFC 8037 §3.1). */
function wantedBy(alg: unknown): Pick<JWK, 'kty' | 'crv'> {
  if (alg === 'EdDSA' || alg === 'Ed25519') return { kty: 'OKP', crv: 'Ed25519' }
  const crv = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[String(alg)]
  return crv === undefined ? { kty: 'RSA' } : { kty: 'EC', crv }
}

/**
 * Returns the member of a key that keeps it from verifying this algorithm, with its value; undefined where none does
 * (RFC 7517 §4.2 to §4.4).
 */
export function obstacle(key: JWK, alg: unknown): string | undefined {
  const { kty, crv } = wantedBy(alg)
  if (key.use !== undefined && key.use !== 'sig') return `use ${shown(key.use)}`
  const { key_ops } = key
  if (key_ops !== undefined && !(Array.isArray(key_ops) && key_ops.includes('verify')))
    return 'no verify among its key_ops'
  if (key.kty !== kty) return `kty ${shown(key.kty)}`
  if (crv !== undefined && key.crv !== crv) return `crv ${shown(key.crv)}`
  const same = key.alg === undefined || key.alg === alg || (kty === 'OKP' && key.alg === 'Ed25519')
  return same ? undefined : `alg ${shown(key.alg)}`
}

/**
 * Returns why no key of a set fits a token: the keys have other names, or the member of the one key that is meant
 * (RFC 7515 §4.1.4, RFC 7517 §4.2 to §4.4).
 */
function misfitOf(keys: readonly JWK[], { alg, kid }: JsonObject): string {
  if (keys.length === 0) return 'the set has no key for signatures'
  const named = kid === undefined ? keys : keys.filter(each => each.kid === kid)
  const [only, ...others] = named
  if (only !== undefined && others.length === 0)
    return `the key has ${obstacle(only, alg) ?? `alg ${only.alg}`}`
  if (only !== undefined) return `none of the ${named.length} keys is for it`
  const names = keys.slice(0, MAX_NAMES).map(each => each.kid ?? 'a key without a name')
  return `the set has ${names.join(', ')}${keys.length > MAX_NAMES ? ' and others' : ''}`
}

const BINDING = 'RFC 9901 §7.3'

/** Checks the JWT by which the holder proves the key of `cnf`: audience and nonce are those of the reader. */
async function bindingChecks(token: SdJwt, expected: Expectations): Promise<Check[]> {
  const { keyBinding: binding, claims } = token
  if (binding === undefined) {
    const detail = 'no key binding: anyone who copies this token can present it'
    return isJsonObject(claims.cnf) ? [{ ...check('key_binding', false, BINDING, detail), advice: true }] : []
  }
  const { jwt, text } = binding
  const jwk = isJsonObject(claims.cnf) && isJsonObject(claims.cnf.jwk) ? claims.cnf.jwk : undefined
  const keys: VerificationKeys = { kind: 'jwks', jwks: { keys: jwk === undefined ? [] : [jwk] } }
  const { now, audience, nonce } = expected
  const wanted = {
    now,
    mayLackExp: true,
    ...(audience !== undefined && { audience }),
    ...(nonce !== undefined && { nonce }),
  }
  const { checks } = await verifyJwt(text, keys, wanted)
  const typ = jwt.header.typ === 'kb+jwt'
  const hash = jwt.claims.sd_hash
  const same = typeof hash === 'string' && secretsEqual(hash, sdHash(token))
  return [
    check('key_binding_typ', typ, BINDING, shown(jwt.header.typ)),
    ...checks.map(each => ({ ...each, name: `key_binding_${each.name}` })),
    check(
      'key_binding_sd_hash',
      same,
      BINDING,
      same ? 'the hash of what is presented' : 'of other disclosures',
    ),
  ]
}

/** The checks of an SD-JWT, in order. */
interface SdJwtVerdict {
  readonly ok: boolean
  readonly checks: readonly Check[]
}

/**
 * Verifies an SD-JWT: the JWT of its issuer, the disclosures, and the key binding where there is one (RFC 9901 §7.3). With a
 * key binding, audience and nonce are expected in it, because the holder made it for this reader.
 */
export async function verifySdJwt(
  token: SdJwt,
  keys: VerificationKeys,
  expected: Expectations,
): Promise<SdJwtVerdict> {
  const { audience: _audience, nonce: _nonce, ...ofIssuer } = expected
  const checks = [
    await checkSignature(token.jwtText, token.jwt, keys),
    // The claims that count are those with what was disclosed: an exp may be among it (RFC 9901 §7.1, §9.7).
    ...checkClaims(token.claims, token.keyBinding === undefined ? expected : ofIssuer),
    ...token.checks,
    ...(await bindingChecks(token, expected)),
  ]
  return { ok: checks.every(each => each.ok || each.advice), checks }
}
