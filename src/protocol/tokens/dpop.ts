import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { ed25519Key } from './seeded-key.js'

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
