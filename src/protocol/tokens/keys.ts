import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type JsonWebKey,
  type KeyObject,
  webcrypto,
} from 'node:crypto'
import {
  CompactSign,
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type JWK,
  type JWTPayload,
} from 'jose'
import type { Exchange } from '../http/exchange.js'
import type { SigningAlgorithm } from '../oauth/algorithms.js'
import { jsonObject, UnreadableAnswer } from '../oauth/answers.js'
import { OAuthError } from '../oauth/oauth-error.js'
import type { Citation } from '../rules/rule.js'
import { but } from '../second-reading.js'
import { insteadOfKeySet } from '../second-reading-keys.js'
import { defined } from '../values.js'

/** A private key of the server. It is imported once: importing it for every token more than doubles the cost. */
export interface SigningKey {
  readonly alg: SigningAlgorithm
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string
  readonly privateKey: CryptoKey
  /** The published JWK: public members, `kid`, `use` and `alg`. */
  readonly publicJwk: JWK
}

/** The fixed secret of the shared-secret stage. */
export interface SharedSecretKey {
  readonly alg: 'HS256'
  readonly secret: KeyObject
  /** The secret in the form that signs. It is imported once, because an import costs more than a signature. */
  readonly signingKey: Promise<CryptoKey>
}

/** A JWK Set (RFC 7517 §5). */
export interface JwkSet {
  readonly keys: readonly JWK[]
}

/** A key and the only algorithm that it is accepted for. */
export interface KeyForAlgorithm {
  readonly key: CryptoKey | KeyObject
  readonly alg: string
}

/** Keys to verify with: a published set, one public key or shared secret, or several keys that are tried in order. */
export type VerificationKeys =
  | { readonly kind: 'jwks'; readonly jwks: JwkSet }
  | ({ readonly kind: 'key' } & KeyForAlgorithm)
  | { readonly kind: 'keys'; readonly keys: readonly [KeyForAlgorithm, ...KeyForAlgorithm[]] }

/** Keys of a server that publishes none, from the configuration of the client. */
export interface CarriedKeys {
  readonly keys: VerificationKeys
  /** The title of the step that reads the keys, such as `read public.pem`. */
  readonly title: string
}

/** The key that each algorithm needs, for messages. */
const RSA = 'an RSA key of at least 2048 bits'
const ED25519 = 'an Ed25519 key'
const KEYS_OF: Readonly<Record<SigningAlgorithm, string>> = {
  RS256: RSA,
  PS256: RSA,
  ES256: 'a P-256 key',
  EdDSA: ED25519,
  Ed25519: ED25519,
}

/** Makes a key pair for an algorithm, RSA with 2048 bits, and returns its private half as PKCS#8 PEM. */
export async function generateSigningKeyPem(alg: SigningAlgorithm = 'RS256'): Promise<string> {
  const { privateKey } = await generateKeyPair(alg, { modulusLength: 2048, extractable: true })
  return exportPKCS8(privateKey)
}

/**
 * Loads the key of an algorithm from PKCS#8 PEM.
 * @throws Error for a text that is not a key of the algorithm, RSA with at least 2048 bits
 */
export async function loadSigningKey(pem: string, alg: SigningAlgorithm = 'RS256'): Promise<SigningKey> {
  const privateObject = createPrivateKey(pem)
  if (!signatureAlgorithms(privateObject).includes(alg)) {
    throw new Error(`the signing key is not ${KEYS_OF[alg]}`)
  }
  const publicMembers = await exportJWK(createPublicKey(privateObject))
  const kid = await calculateJwkThumbprint(publicMembers)
  return {
    alg,
    kid,
    privateKey: await importPKCS8(pem, alg),
    publicJwk: { ...publicMembers, kid, use: 'sig', alg },
  }
}

/** True for a JWK that is a public key which Node can import. */
export function isPublicJwk(jwk: JWK): boolean {
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }).type === 'public'
  } catch {
    return false
  }
}

/** Returns the `kid` that Kubernetes gives a public key: base64url(SHA-256(SubjectPublicKeyInfo)). */
export function spkiKid({ publicJwk }: SigningKey): string {
  const { kid: _kid, use: _use, alg: _alg, ...jwk } = publicJwk
  const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
}

/** Loads the secret of the shared-secret stage. @throws Error for fewer than 32 bytes (RFC 7518 §3.2) */
export function loadSharedSecret(secret: string): SharedSecretKey {
  const raw = Buffer.from(secret)
  if (raw.length < 32) throw new Error('a signing secret has at least 32 bytes')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return {
    alg: 'HS256',
    secret: createSecretKey(raw),
    signingKey: webcrypto.subtle.importKey('raw', raw, algorithm, false, ['sign']),
  }
}

/** Returns the public half of a signing key as SubjectPublicKeyInfo PEM. */
export function publicPem({ publicJwk }: Pick<SigningKey, 'publicJwk'>): string {
  const { kid: _kid, use: _use, alg: _alg, ...jwk } = publicJwk
  return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString()
}

/** The signature algorithms that a server accepts, with the rule for any other one. */
export interface AcceptedAlgorithms {
  readonly names: readonly string[]
  readonly rule: Citation
}

/** The keys that can sign, for messages. */
export const KEY_KINDS = 'RSA with 2048 bits or more, P-256, P-384, P-521 or Ed25519'

/** The algorithms of each kind of key, the usual one first (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2.2). */
const algorithms: Readonly<Record<string, readonly string[]>> = {
  rsa: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  prime256v1: ['ES256'],
  secp384r1: ['ES384'],
  secp521r1: ['ES512'],
  ed25519: ['EdDSA', 'Ed25519'],
}

/**
 * Returns the signature algorithms of a key, the usual one first. The list is empty for a key that cannot sign and for
 * an RSA key of fewer than 2048 bits (RFC 7518 §3.3). Keys of type rsa-pss have no JWK, so jose cannot sign with them.
 */
export function signatureAlgorithms(key: KeyObject): readonly string[] {
  const { namedCurve, modulusLength = 2048 } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < 2048) return []
  return algorithms[String(namedCurve ?? key.asymmetricKeyType)] ?? []
}

/** The keys of a server: the signing key, and the keys of tokens that are still valid. */
export interface Keyring {
  /**
   * Returns the key that signs new tokens. Call it for each token: keys are rotated while the server runs.
   */
  current(): SigningKey | SharedSecretKey
  /**
   * Returns the public keys, newest first. After a rotation, old keys stay until their tokens have expired. Empty when a
   * shared secret signs. Returns the same object until the keys change, so that they are imported once.
   */
  published(): JwkSet
}

/** A keyring that signs by every algorithm. */
export interface AlgorithmKeyring extends Keyring {
  /**
   * Returns the key that signs by an algorithm now. The first call makes the key, and publishes it before it signs.
   */
  signingKey(alg: SigningAlgorithm): Promise<SigningKey>
}

/** Makes a keyring of one key that never changes. Keys of other algorithms are made in memory. */
export function fixedKeyring(key: SigningKey | SharedSecretKey): AlgorithmKeyring {
  let keys: JwkSet = { keys: key.alg === 'HS256' ? [] : [key.publicJwk] }
  const made = new Map<SigningAlgorithm, Promise<SigningKey>>()
  async function make(alg: SigningAlgorithm): Promise<SigningKey> {
    const other = await loadSigningKey(await generateSigningKeyPem(alg), alg)
    keys = { keys: [...keys.keys, other.publicJwk] }
    return other
  }
  return {
    current: () => key,
    published: () => keys,
    async signingKey(alg) {
      if (key.alg === alg) return key
      const making = made.get(alg) ?? make(alg)
      made.set(alg, making)
      return making
    },
  }
}

/** Returns the keys that verify the server's own tokens now. */
export function verificationKeys(keyring: Keyring): VerificationKeys {
  const key = keyring.current()
  return key.alg === 'HS256'
    ? { kind: 'key', key: key.secret, alg: key.alg }
    : { kind: 'jwks', jwks: keyring.published() }
}

/** The beginning of an Ed25519 private key in PKCS#8 (RFC 8410 §7). The 32 bytes of the key follow. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Makes the Ed25519 key of 32 bytes. Its signatures are the same in every run (RFC 8032 §5.1.6), unlike those of ECDSA and RSA-PSS.
 */
export function ed25519Key(bytes: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: 'der', type: 'pkcs8' })
}

const encoder = new TextEncoder()

/** Signs claims as a compact JWS (RFC 7515 §3.1, RFC 7519 §7.1). `typ` is a header member; null leaves `typ` out. */
export async function signJwt(
  claims: JWTPayload,
  key: SigningKey | SharedSecretKey,
  typ: string | null = 'JWT',
): Promise<string> {
  const kid = key.alg === 'HS256' ? undefined : key.kid
  return new CompactSign(encoder.encode(JSON.stringify(claims)))
    .setProtectedHeader(defined({ typ: typ ?? undefined, alg: key.alg, kid }))
    .sign(key.alg === 'HS256' ? await key.signingKey : key.privateKey)
}

/**
 * Reads the answer of a jwks_uri (RFC 7517 §5).
 * @throws OAuthError, UnreadableAnswer
 */
export function readKeySet(exchange: Exchange): JwkSet {
  const rule = 'RFC 7517 §5'
  const { status, headers = [] } = exchange.response ?? {}
  if (status !== 200) {
    // A redirect is not followed: keys from another place would be trusted as if this one had them.
    const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
    const to = location === undefined ? '' : `, and names ${location}`
    throw new OAuthError('invalid_response', { description: `jwks_uri answered ${status}${to}`, rule })
  }
  const unreadable = (problem: string) =>
    new UnreadableAnswer('invalid_response', {
      description: `${problem}${but(insteadOfKeySet(exchange.response?.body ?? ''))}`,
      rule,
    })
  let keys: unknown
  try {
    keys = jsonObject(exchange, 'jwks_uri', rule).keys
  } catch (error) {
    throw error instanceof UnreadableAnswer ? unreadable(error.description) : error
  }
  if (!Array.isArray(keys) || !keys.every(key => typeof key === 'object' && key !== null)) {
    throw unreadable('jwks_uri answered no set of keys')
  }
  return { keys }
}
