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
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type JWK,
} from 'jose'
import type { SigningAlgorithm } from '../oauth/response-algorithms.js'
import { signatureAlgorithms } from './key-algorithms.js'

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
