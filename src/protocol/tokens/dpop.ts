import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  compactVerify,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose'
import { isUrl } from '../http/address.js'
import { ASYMMETRIC_ALGORITHMS } from '../oauth/algorithms.js'
import { shown } from '../oauth/check.js'
import { OAuthError } from '../oauth/oauth-error.js'
import type { Citation } from '../rules/rule.js'
import { but, otherDate } from '../second-reading.js'
import { isJsonObject } from '../values.js'
import { type DecodedJwt, decodeJwt } from './decode.js'
import { type AcceptedAlgorithms, ed25519Key } from './keys.js'
import type { ReplayGuard } from './replay-guard.js'
import { obstacle, otherSigning } from './verify.js'

/** A key that a client proves to hold (RFC 9449 §2). */
export interface DpopKey {
  readonly alg: 'ES256' | 'EdDSA'
  readonly privateKey: CryptoKey | KeyObject
  readonly publicJwk: JWK
  /** RFC 7638 thumbprint, as `jkt` and `dpop_jkt` name the key. */
  readonly jkt: string
}

/** A private key for proofs, as it is written into a file. */
export type DpopJwk = JWK

/** The request that a proof is made for. */
export interface DpopProofFor {
  readonly method: string
  /** The absolute URL of the request. The proof leaves out its query and fragment. */
  readonly url: string
  /** The access token beside the proof. Its hash becomes `ath`. */
  readonly accessToken?: string
  /** The value of the server's `DPoP-Nonce`. */
  readonly nonce?: string
}

/** Makes a P-256 key for proofs. */
export async function generateDpopKey(): Promise<DpopKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const publicJwk = await exportJWK(publicKey)
  return { alg: 'ES256', privateKey, publicJwk, jkt: await calculateJwkThumbprint(publicJwk) }
}

/** Makes a P-256 key for proofs that outlive this process, as its private JWK. */
export function makeLastingDpopKey(): DpopJwk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ format: 'jwk' }) as DpopJwk
}

/** Reads a private P-256 key for proofs. @throws Error for any other value */
export async function lastingDpopKey(jwk: DpopJwk): Promise<DpopKey> {
  const privateKey = createPrivateKey({ key: jwk as Record<string, string>, format: 'jwk' })
  const publicJwk = await exportJWK(createPublicKey(privateKey))
  if (publicJwk.crv !== 'P-256') throw new Error('a key for proofs is on the curve P-256')
  return { alg: 'ES256', privateKey, publicJwk, jkt: await calculateJwkThumbprint(publicJwk) }
}

/** Makes the key of 32 bytes for proofs that are the same in every run: Ed25519, whose signatures need no random numbers. */
export async function seededDpopKey(bytes: Uint8Array): Promise<DpopKey> {
  const privateKey = ed25519Key(bytes)
  const publicJwk = await exportJWK(createPublicKey(privateKey))
  return { alg: 'EdDSA', privateKey, publicJwk, jkt: await calculateJwkThumbprint(publicJwk) }
}

/** Makes the value of a `DPoP` header (RFC 9449 §4.2). */
export async function makeDpopProof(
  key: DpopKey,
  request: DpopProofFor,
  ports: { readonly now: () => number; readonly random: (length: number) => Uint8Array },
): Promise<string> {
  const { accessToken, nonce } = request
  const claims = {
    jti: Buffer.from(ports.random(16)).toString('base64url'),
    htm: request.method,
    htu: request.url.replace(/[?#].*/s, ''),
    iat: Math.floor(ports.now() / 1000),
    // JSON leaves out undefined members.
    ath: accessToken === undefined ? undefined : accessTokenHash(accessToken),
    nonce,
  }
  return new SignJWT(claims)
    .setProtectedHeader({ typ: 'dpop+jwt', alg: key.alg, jwk: key.publicJwk })
    .sign(key.privateKey)
}

/** Returns `ath`: the hash of the access token beside a proof (RFC 9449 §4.2). */
export function accessTokenHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest('base64url')
}

/** The values that a proof must match. */
export interface DpopExpectations {
  readonly method: string
  /** The absolute URL of the request, by the server's public name. Its query and fragment are not compared. */
  readonly url: string
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly replay: ReplayGuard
  /** The client that sent the proof. Its proofs are remembered in its own room. */
  readonly owner: string
  /** The access token beside the proof. When present, `ath` is required. */
  readonly accessToken?: string | undefined
  /** The nonces of this server. When present, the proof must have one of them. */
  readonly nonces?: DpopNonces | undefined
  /** Absent: every asymmetric algorithm. */
  readonly algorithms?: AcceptedAlgorithms | undefined
}

/** The result of a verified proof. */
export interface VerifiedDpopProof {
  /** Thumbprint of the key: bind tokens to it (`cnf.jkt`), or compare it with what they are bound to. */
  readonly jkt: string
}

/** Time for which a proof is accepted after its `iat`, in milliseconds. */
const DPOP_PROOF_LIFETIME = 5 * 60_000

/** Tolerance for a client whose clock is ahead, in milliseconds. */
const DPOP_CLOCK_SKEW = 30_000

/** Longest proof, in characters. Longer proofs are refused without decoding. */
const MAX_DPOP_PROOF_LENGTH = 8192

function refusal(description: string, evidence?: string, rule: Citation = 'RFC 9449 §4.3'): OAuthError {
  return new OAuthError('invalid_dpop_proof', { description, rule, evidence })
}

/**
 * Returns the proof in the values of the `DPoP` headers; undefined without such a header.
 * @throws OAuthError `invalid_dpop_proof` for several headers
 */
export function presentedDpopProof(values: readonly string[]): string | undefined {
  if (values.length > 1) throw refusal('the DPoP header is repeated', `${values.length} headers`)
  return values[0]?.trim()
}

/**
 * Verifies a DPoP proof in the order of RFC 9449 §4.3. The replay check comes last, so that a refused proof stays unused.
 * @throws OAuthError `invalid_dpop_proof`, or `use_dpop_nonce` when the proof needs a current nonce
 */
export async function verifyDpopProof(proof: string, expected: DpopExpectations): Promise<VerifiedDpopProof> {
  const { header, claims } = decodeProof(proof)
  checkAlgorithm(header.alg, expected.algorithms)
  const jwk = await checkProofSignature(proof, header)
  if (typeof claims.jti !== 'string' || claims.jti === '')
    throw refusal('the proof has no jti', undefined, CONTENT)
  if (claims.htm !== expected.method) {
    throw refusal(`htm is not the method of the request, ${expected.method}`, `htm: ${shown(claims.htm)}`)
  }
  const here = comparable(expected.url)
  if (here === undefined || typeof claims.htu !== 'string' || comparable(claims.htu) !== here) {
    throw refusal('htu is not the address of the request', `htu: ${shown(claims.htu)}`)
  }
  checkNonce(claims.nonce, expected.nonces)
  const until = checkTime(claims, expected.now)
  if (expected.accessToken !== undefined && claims.ath !== accessTokenHash(expected.accessToken)) {
    throw refusal('ath is not the hash of the access token', `ath: ${shown(claims.ath)}`)
  }
  const jkt = await calculateJwkThumbprint(jwk)
  const use = expected.replay.use(`dpop ${jkt} ${claims.jti}`, until, expected.owner)
  if (use === 'again') throw refusal('the proof was used before', `jti: ${claims.jti}`, 'RFC 9449 §11.1')
  if (use === 'full') throw refusal('too many proofs at once; try again later', undefined, 'RFC 9449 §11.1')
  return { jkt }
}

function decodeProof(proof: string): DecodedJwt {
  if (proof.length > MAX_DPOP_PROOF_LENGTH) {
    throw refusal(`the proof is longer than ${MAX_DPOP_PROOF_LENGTH} characters`)
  }
  return decodeJwt(proof, problem => refusal(`the proof is no JWT: ${problem}`))
}

/** The section on the members of a proof. */
const CONTENT = 'RFC 9449 §4.2'

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

function checkAlgorithm(alg: unknown, accepted: AcceptedAlgorithms | undefined): void {
  if (accepted === undefined || accepted.names.includes(String(alg))) return
  throw refusal(
    `the proof must be signed by ${accepted.names.join(', ')}`,
    `alg: ${shown(alg)}`,
    accepted.rule,
  )
}

/** Verifies the header, and the signature with the key in the header. Returns that key. */
async function checkProofSignature(proof: string, header: DecodedJwt['header']): Promise<JWK> {
  const { typ, jwk } = header
  if (typeof typ !== 'string' || typ.toLowerCase() !== 'dpop+jwt') {
    throw refusal('typ is not dpop+jwt', `typ: ${shown(typ)}`, CONTENT)
  }
  const alg = ASYMMETRIC_ALGORITHMS.find(each => each === header.alg)
  if (alg === undefined) {
    throw refusal('alg is not an accepted asymmetric algorithm', `alg: ${shown(header.alg)}`, CONTENT)
  }
  // jose supports the extension b64, which a proof never needs.
  if (header.crit !== undefined) throw refusal('crit names extensions that are not known here')
  if (!isJsonObject(jwk)) throw refusal('the header has no jwk', undefined, CONTENT)
  if (PRIVATE_MEMBERS.some(name => Object.hasOwn(jwk, name))) {
    throw refusal('jwk holds a private or symmetric key; send the public half alone', undefined, CONTENT)
  }
  const unfit = obstacle(jwk, alg)
  if (unfit !== undefined) throw refusal(`the jwk of the proof is no key for ${alg}: it has ${unfit}`)
  try {
    const key = await importJWK(jwk as JWK, alg)
    await compactVerify(proof, key as CryptoKey, { algorithms: [alg] })
  } catch (error) {
    const other = await otherSigning(decodeProof(proof), { kind: 'jwks', jwks: { keys: [jwk as JWK] } })
    throw refusal(`the proof is not signed with the key in its jwk${but(other)}`, (error as Error).message)
  }
  return jwk as JWK
}

function checkNonce(nonce: unknown, nonces: DpopNonces | undefined): void {
  if (nonces === undefined || (typeof nonce === 'string' && nonces.accepts(nonce))) return
  throw new OAuthError('use_dpop_nonce', {
    description:
      nonce === undefined
        ? 'the proof needs the nonce of the DPoP-Nonce header'
        : 'the nonce of the proof is not a current one; use that of the DPoP-Nonce header',
    rule: 'RFC 9449 §8',
    evidence: `nonce: ${shown(nonce)}`,
  })
}

/** Returns when the proof stops being accepted, in milliseconds since the epoch. */
function checkTime({ iat, exp, nbf }: DecodedJwt['claims'], now: number): number {
  if (typeof iat !== 'number') throw refusal('the proof has no iat', `iat: ${shown(iat)}`, CONTENT)
  const made = iat * 1000
  const age = Math.round((now - made) / 1000)
  const unit = otherDate(iat)
  const why = unit === undefined ? '' : `; iat: ${unit}`
  if (made > now + DPOP_CLOCK_SKEW) throw refusal(`the proof was made in the future${why}`, `${-age} s ahead`)
  if (now >= made + DPOP_PROOF_LIFETIME) throw refusal('the proof is too old', `${age} s old`)
  // A proof needs neither exp nor nbf (RFC 9449 §4.2). When present, they count (RFC 7519 §4.1).
  if (exp !== undefined && !(typeof exp === 'number' && now < exp * 1000)) {
    throw refusal('the proof has expired', `exp: ${shown(exp)}`, 'RFC 7519 §4.1.4')
  }
  if (nbf !== undefined && !(typeof nbf === 'number' && now + DPOP_CLOCK_SKEW >= nbf * 1000)) {
    throw refusal('the proof is not valid yet', `nbf: ${shown(nbf)}`, 'RFC 7519 §4.1.5')
  }
  return made + DPOP_PROOF_LIFETIME
}

/**
 * Normalizes an address for comparison (RFC 9449 §4.3, RFC 3986 §6.2.2, §6.2.3): no query or fragment, host in lower
 * case, no default port, %7e as ~. Returns undefined for a text that is not an http URL, or has user information.
 */
function comparable(url: string): string | undefined {
  if (!/^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i.test(url)) return undefined
  if (!isUrl(url)) return undefined
  const { origin, pathname, username, password } = new URL(url)
  if (username !== '' || password !== '') return undefined
  const path = pathname.replace(/%[0-9a-f]{2}/gi, code => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[A-Za-z0-9\-._~]/.test(character) ? character : code.toUpperCase()
  })
  return `${origin}${path}`
}

/** Nonces that a server hands out for DPoP proofs (RFC 9449 §8). */
export interface DpopNonces {
  /** The nonce to send in `DPoP-Nonce`. */
  current(): string
  /** True for the current nonce and for the one before it. */
  accepts(nonce: string): boolean
}

/** Time for which a nonce is handed out, in milliseconds. It is accepted for the same time again. */
export const DPOP_NONCE_LIFETIME = 5 * 60_000

/** Makes the nonces of a server. Two are in memory: the current one, and the one before it. */
export function createDpopNonces(ports: {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  /** Milliseconds. */
  readonly lifetime?: number
}): DpopNonces {
  const { now, random, lifetime = DPOP_NONCE_LIFETIME } = ports
  let latest: { readonly nonce: string; readonly since: number } | undefined
  let previous: string | undefined
  const turn = () => {
    const at = now()
    if (latest !== undefined && at < latest.since + lifetime) return latest.nonce
    previous = latest !== undefined && at < latest.since + 2 * lifetime ? latest.nonce : undefined
    latest = { nonce: Buffer.from(random(16)).toString('base64url'), since: at }
    return latest.nonce
  }
  return {
    current: turn,
    accepts: nonce => nonce === turn() || nonce === previous,
  }
}
