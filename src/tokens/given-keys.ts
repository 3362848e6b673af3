import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type JsonWebKey,
  type KeyObject,
  X509Certificate,
} from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { isJsonObject, type JsonObject } from '../oauth/json-object.js'

/** A key that a person gave. */
export interface GivenKey {
  readonly key: KeyObject
  /** The members of the JWK beside those of the key itself: kid, alg, use and so on. Empty for a PEM. */
  readonly members: JsonObject
}

/** The keys of a text, in its order. */
export interface GivenKeys {
  readonly form: 'pem' | 'jwk' | 'set'
  readonly keys: readonly [GivenKey, ...GivenKey[]]
}

/** The error for a text that is no key. The message names the problem and the rule. */
export class KeyFormatError extends Error {
  override name = 'KeyFormatError'
}

/** Members of the key itself, by which Node imports it (RFC 7518 §6, RFC 8037 §2). */
const MATERIAL = new Set(['kty', 'crv', 'x', 'y', 'd', 'n', 'e', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])

function importPem(text: string): KeyObject {
  if (text.includes('-----BEGIN CERTIFICATE-----')) return new X509Certificate(text).publicKey
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text) ? createPrivateKey(text) : createPublicKey(text)
}

function readPem(text: string): GivenKey {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text)) {
    throw new KeyFormatError(
      'this private key is encrypted with a password; openssl pkey -in FILE writes it without one',
    )
  }
  try {
    return { key: importPem(text), members: {} }
  } catch {
    throw new KeyFormatError(
      'this PEM holds no key that can be read: a private key, a public key or a certificate',
    )
  }
}

function importJwk(jwk: JsonObject): KeyObject {
  if (jwk.kty === 'oct' && typeof jwk.k === 'string' && /^[\w-]+$/.test(jwk.k)) {
    return createSecretKey(Buffer.from(jwk.k, 'base64url'))
  }
  const input = { key: jwk as JsonWebKey, format: 'jwk' } as const
  return jwk.d === undefined ? createPublicKey(input) : createPrivateKey(input)
}

function readJwk(value: unknown, what: string): GivenKey {
  if (!isJsonObject(value) || typeof value.kty !== 'string') {
    throw new KeyFormatError(`${what} has no member kty (RFC 7517 §4.1)`)
  }
  try {
    const members = Object.fromEntries(Object.entries(value).filter(([name]) => !MATERIAL.has(name)))
    return { key: importJwk(value), members }
  } catch {
    throw new KeyFormatError(
      `${what} is no key that can be read: kty ${JSON.stringify(value.kty)} with wrong or missing members (RFC 7518 §6)`,
    )
  }
}

/**
 * Reads a key in PEM, a JWK, or a JWK Set.
 * @throws KeyFormatError
 */
export function readGivenKeys(text: string): GivenKeys {
  if (text.includes('-----BEGIN ')) return { form: 'pem', keys: [readPem(text)] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new KeyFormatError('this is neither PEM nor JSON')
  }
  if (!isJsonObject(value) || !('keys' in value)) return { form: 'jwk', keys: [readJwk(value, 'the JWK')] }
  const list = Array.isArray(value.keys) ? value.keys : []
  const [first, ...others] = list.map((each, i) => readJwk(each, `key ${i + 1} of the set`))
  if (first === undefined) throw new KeyFormatError('the set has no keys (RFC 7517 §5)')
  return { form: 'set', keys: [first, ...others] }
}

/** Returns the JWK of a key, its private members included, with the members that it was given with. */
export function jwkOf({ key, members }: GivenKey): JWK {
  return { ...(key.export({ format: 'jwk' }) as JWK), ...members }
}

/** The hashes of thumbprints. */
export type ThumbprintHash = 'sha256' | 'sha384' | 'sha512'

/** Returns the thumbprint of a key, base64url (RFC 7638 §3). */
export function thumbprintOf(key: GivenKey, hash: ThumbprintHash = 'sha256'): Promise<string> {
  return calculateJwkThumbprint(jwkOf(key), hash)
}

/** Returns the JWK of a key with a name: the one given, its own, or its thumbprint. */
export async function namedJwk(key: GivenKey, kid?: string): Promise<JWK> {
  const jwk = jwkOf(key)
  return { ...jwk, kid: kid ?? jwk.kid ?? (await thumbprintOf(key)) }
}

/**
 * Returns the public half of a key. Members that speak of the private half are turned: `sign` into `verify`, and so on.
 * @throws KeyFormatError for a shared secret, which has none (RFC 7517 §9.2)
 */
export function publicHalf({ key, members }: GivenKey): GivenKey {
  if (key.type === 'secret') {
    throw new KeyFormatError('a shared secret (kty oct) has no public half (RFC 7517 §9.2)')
  }
  const { key_ops: operations, ...rest } = members
  const turned = Array.isArray(operations)
    ? { key_ops: operations.map(each => PUBLIC_OPERATIONS[String(each)] ?? each) }
    : {}
  return {
    key: key.type === 'public' ? key : createPublicKey(key),
    members: { ...rest, ...turned },
  }
}

/** The operation of the public half for each one of the private half (RFC 7517 §4.3). */
const PUBLIC_OPERATIONS: Readonly<Record<string, string>> = {
  sign: 'verify',
  decrypt: 'encrypt',
  unwrapKey: 'wrapKey',
}

/** Writes a key as PEM: PKCS #8 for a private one, SubjectPublicKeyInfo for a public one. @throws KeyFormatError */
export function pemOf({ key }: GivenKey): string {
  if (key.type === 'secret') throw new KeyFormatError('a shared secret (kty oct) has no PEM form')
  return key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }).toString()
}
