import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { type ContentEncryption, KEY_ENCRYPTIONS } from '../oauth/algorithms.js'
import { REQUEST_OBJECT_TYPE } from '../oauth/authorization-request.js'
import type { ClientKey } from './client-assertion.js'
import { contentKey, encryptionKey, encryptText } from './encryption.js'
import type { JwkSet } from './keys.js'

/** The proof of a client that signs request objects: its private key, or its secret (HS256). */
export interface RequestSigner {
  readonly key?: ClientKey | undefined
  readonly secret?: string | undefined
}

/** The ways to send an authorization request as a request object. `encrypted`: signed first. */
export type RequestObjectKind = 'signed' | 'unsigned' | 'encrypted'

/** The request object that a client wants to make. */
export interface WantedRequestObject extends RequestSigner {
  readonly kind: RequestObjectKind
}

/** Shortest secret for HS256, in bytes (RFC 7518 §3.2). */
export const MIN_SIGNING_SECRET = 32

/** Signs a request object, by the key where there is one (RFC 9101 §4). @throws Error without a key and a secret */
export async function signRequestObject(claims: JWTPayload, { key, secret }: RequestSigner): Promise<string> {
  const typ = REQUEST_OBJECT_TYPE
  if (key !== undefined) {
    const header = key.kid === undefined ? { alg: key.alg, typ } : { alg: key.alg, kid: key.kid, typ }
    return new SignJWT(claims).setProtectedHeader(header).sign(key.privateKey)
  }
  if (secret === undefined) throw new Error('a request object is signed with a key or a secret')
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ }).sign(new TextEncoder().encode(secret))
}

/** Makes an unsigned request object (RFC 7519 §6). */
export function unsignedRequestObject(claims: JWTPayload): string {
  return new UnsecuredJWT(claims).encode()
}

/** The ways to encrypt that a server announces, with its keys. */
export interface EncryptionOffer {
  readonly algorithms: readonly string[]
  readonly encodings: readonly string[]
  readonly keys: JwkSet | undefined
  readonly secret: string | undefined
}

/**
 * Encrypts a request object to a key of the server whose use is enc, else to the client's secret (OpenID Connect Core §10.2).
 * Returns undefined where the server offers neither.
 */
export async function encryptRequestObject(
  object: string,
  { algorithms, encodings, keys, secret }: EncryptionOffer,
): Promise<string | undefined> {
  const enc: ContentEncryption = encodings.includes('A256GCM') ? 'A256GCM' : 'A128CBC-HS256'
  const forRequests = { keys: keys?.keys.filter(each => each.use === 'enc') ?? [] }
  for (const alg of KEY_ENCRYPTIONS) {
    const key = alg === 'dir' || !algorithms.includes(alg) ? undefined : encryptionKey(forRequests, alg)
    if (key !== undefined) return encryptText(object, key, { alg, enc }, { kid: key.kid, cty: 'JWT' })
  }
  if (secret === undefined || !algorithms.includes('dir')) return undefined
  return encryptText(object, contentKey(secret, enc), { alg: 'dir', enc }, { cty: 'JWT' })
}
