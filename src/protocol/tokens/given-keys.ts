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

/** The types of keys that are read (RFC 7518 §6.1, RFC 8037 §2). Another type may have private members of other names. */
const KEY_TYPES: readonly unknown[] = ['RSA', 'EC', 'OKP', 'oct']

const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \1-----/gs

/** Imports the private key of a PEM, else its first certificate, which is that of the key, else its public key. */
function importPem(text: string): KeyObject {
  const blocks = [...text.matchAll(PEM_BLOCK)].map(([block, label = '']) => ({ block, label }))
  const named = (end: string) => blocks.filter(({ label }) => label.endsWith(end)).map(({ block }) => block)
  const [secret, ...otherSecrets] = named('PRIVATE KEY')
  const [certificate] = named('CERTIFICATE')
  const [open = '', ...otherOpen] = named('PUBLIC KEY')
  const others = secret === undefined && certificate === undefined ? otherOpen : otherSecrets
  if (others.length > 0) {
    throw new KeyFormatError(
      `this PEM holds ${others.length + 1} keys; write the one that is meant into a file`,
    )
  }
  if (secret !== undefined) return createPrivateKey(secret)
  return certificate === undefined ? createPublicKey(open) : new X509Certificate(certificate).publicKey
}

function readPem(text: string): GivenKey {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text)) {
    throw new KeyFormatError(
      'this private key is encrypted with a password; openssl pkey -in FILE writes it without one',
    )
  }
  try {
    return { key: importPem(text), members: {} }
  } catch (error) {
    if (error instanceof KeyFormatError) throw error
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
  if (!KEY_TYPES.includes(value.kty)) {
    const kty = JSON.stringify(value.kty)
    throw new KeyFormatError(`${what} has the kty ${kty}, which is not one of ${KEY_TYPES.join(', ')}`)
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
  const list: readonly unknown[] = Array.isArray(value.keys) ? value.keys : []
  // Keys of another type are ignored (RFC 7517 §5), unless there is nothing else.
  const isForeign = (each: unknown) => isJsonObject(each) && !KEY_TYPES.includes(each.kty ?? 'RSA')
  const [first, ...others] = list.flatMap((each, i) =>
    isForeign(each) && !list.every(isForeign) ? [] : [readJwk(each, `key ${i + 1} of the set`)],
  )
  if (first === undefined) throw new KeyFormatError('the set has no keys (RFC 7517 §5)')
  return { form: 'set', keys: [first, ...others] }
}

/**
 * Returns the JWK of a key, its private members included, with the members that it was given with.
 * @throws KeyFormatError for a key of a PEM that no JWK can hold, such as DSA
 */
export function jwkOf({ key, members }: GivenKey): JWK {
  try {
    return { ...(key.export({ format: 'jwk' }) as JWK), ...members }
  } catch {
    throw new KeyFormatError(`a key of the type ${key.asymmetricKeyType} has no JWK form (RFC 7518 §6.1)`)
  }
}

/** The hashes of thumbprints. */
export type ThumbprintHash = 'sha256' | 'sha384' | 'sha512'

/** Returns the thumbprint of a key, base64url (RFC 7638 §3). @throws KeyFormatError */
export async function thumbprintOf(key: GivenKey, hash: ThumbprintHash = 'sha256'): Promise<string> {
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
