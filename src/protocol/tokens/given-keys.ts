import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import { promisify } from 'node:util'
import { CompactSign, calculateJwkThumbprint, compactDecrypt, errors, type JWK } from 'jose'
import { certificateMap, insteadOfKey, readKeyAgain } from '../second-reading-keys.js'
import { isJsonObject, type JsonObject, parsedJson } from '../values.js'
import { decodeJweHeader } from './decode.js'
import { KEY_KINDS, signatureAlgorithms } from './keys.js'

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
  /** The form in which the text holds them, where it is not one of these. */
  readonly remark?: string
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
 * Reads a key in PEM, a JWK, or a JWK Set; also in the forms in which other programs hold them, with a remark.
 * @throws KeyFormatError
 */
export function readGivenKeys(text: string): GivenKeys {
  try {
    return readKeys(text)
  } catch (error) {
    if (!(error instanceof KeyFormatError)) throw error
    for (const { content, remark } of readKeyAgain(text)) {
      try {
        return { ...readKeys(content), remark }
      } catch (again) {
        if (!(again instanceof KeyFormatError)) throw again
      }
    }
    const instead = insteadOfKey(text)
    throw instead === undefined ? error : new KeyFormatError(instead)
  }
}

/** Returns the problem of a text that was refused as a private key: what it is instead, and what helps. */
export function privateKeyProblem(text: string): string {
  try {
    const { form, keys, remark } = readGivenKeys(text)
    const [{ key }] = keys
    if (form === 'set') return 'it is a set of keys; write the private one alone into the file'
    if (key.type === 'public') return publicOnly('signs')
    if (key.type === 'secret') return 'it is a shared secret, and no private key'
    return `${remark ?? 'it is not PKCS #8'}; oauth-lab jwk convert FILE writes the key alone`
  } catch (error) {
    if (error instanceof KeyFormatError) return error.message
    throw error
  }
}

/** @throws KeyFormatError */
function readKeys(text: string): GivenKeys {
  if (text.includes('-----BEGIN ') && !/^\s*[{["]/.test(text)) return { form: 'pem', keys: [readPem(text)] }
  const value = parsedJson(text)
  if (value === undefined) throw new KeyFormatError('this is neither PEM nor JSON')
  const [certificate, ...more] = (certificateMap(value) ?? []).map(([kid, pem]) => ({
    ...readPem(pem),
    members: { kid },
  }))
  if (certificate !== undefined) {
    const remark = 'it is a map of certificates, and no JWK Set; its names are taken as kid'
    return { form: 'set', keys: [certificate, ...more], remark }
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

const publicOnly = (does: string) =>
  `this is a public key, or a certificate, which holds one; the private one ${does}`

/** The algorithms of a shared secret, with the bytes that each needs (RFC 7518 §3.2). */
const HMAC: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 }

/** Returns the algorithms that a key can sign by, the usual one first. */
function signers({ key }: GivenKey): readonly string[] {
  if (key.type !== 'secret') return signatureAlgorithms(key)
  const bytes = key.symmetricKeySize ?? 0
  return Object.keys(HMAC).filter(name => HMAC[name]! <= bytes)
}

/**
 * Chooses the algorithm of a signature: the one that was named, that of the JWK, or the usual one of the key.
 * @throws KeyFormatError for a key that cannot sign, or not by this algorithm
 */
export function signingAlgorithm(given: GivenKey, named?: string): string {
  const { key, members } = given
  if (key.type === 'public') throw new KeyFormatError(publicOnly('signs'))
  const possible = signers(given)
  if (possible.length === 0) {
    throw new KeyFormatError(
      key.type === 'secret'
        ? `the secret has ${key.symmetricKeySize} bytes; HS256 needs at least 32 (RFC 7518 §3.2)`
        : `this key cannot sign: use ${KEY_KINDS}`,
    )
  }
  const alg = named ?? (typeof members.alg === 'string' ? members.alg : possible[0]!)
  if (possible.includes(alg)) return alg
  throw new KeyFormatError(`this key cannot sign by ${alg}: it can by ${possible.join(', ')} (RFC 7518 §3.1)`)
}

/** Signs claims as they are (RFC 7515 §5.1). The header is that of the caller, with alg. */
export function signClaims(claims: JsonObject, header: JsonObject & { alg: string }, { key }: GivenKey) {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader(header)
    .sign(key)
}

const AGREED = ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW']

/** Algorithms of each kind of private key, and of a shared secret (RFC 7518 §4.1). */
const PRIVATE: Readonly<Record<string, readonly string[]>> = {
  rsa: ['RSA-OAEP', 'RSA-OAEP-256', 'RSA-OAEP-384', 'RSA-OAEP-512'],
  ec: AGREED,
  x25519: AGREED,
}
const WRAPPED = ['A128KW', 'A192KW', 'A256KW', 'A128GCMKW', 'A192GCMKW', 'A256GCMKW']
const PASSWORD = ['PBES2-HS256+A128KW', 'PBES2-HS384+A192KW', 'PBES2-HS512+A256KW']
const SECRET = ['dir', ...WRAPPED, ...PASSWORD]

/** Most rounds of a password hash; an attacker chooses the number (RFC 7518 §4.8.1.2). */
const MAX_ROUNDS = 1_000_000

/** Returns the bytes of a key that the content or the content key is encrypted with. */
function bytesFor(alg: unknown, enc: unknown): number {
  if (alg !== 'dir') return Number(/^A(\d+)/.exec(String(alg))?.[1]) / 8
  const [, plain, composite] = /^A(\d+)(?:GCM$|CBC-HS(\d+)$)/.exec(String(enc)) ?? []
  return Number(composite ?? plain) / 8
}

/** A secret as a key: itself where it has the length, else the left of its hash, as a client secret (OpenID Connect Core §10.2). */
function keyOfSecret(secret: Buffer, alg: unknown, enc: unknown): Uint8Array {
  const bytes = bytesFor(alg, enc)
  if (PASSWORD.includes(String(alg)) || Number.isNaN(bytes) || secret.length === bytes) return secret
  const hash = bytes <= 32 ? 'sha256' : bytes <= 48 ? 'sha384' : 'sha512'
  return createHash(hash).update(secret).digest().subarray(0, bytes)
}

const decrypters = ({ type, asymmetricKeyType }: KeyObject): readonly string[] =>
  type === 'secret' ? SECRET : (PRIVATE[asymmetricKeyType ?? ''] ?? [])

/** The problem of a key and a token that do not fit. */
function misfit(alg: unknown, { asymmetricKeyType }: KeyObject, possible: readonly string[]): string {
  // Its padding leaks the content to an attacker who may try often.
  if (alg === 'RSA1_5') return 'RSA1_5 is not accepted (RFC 8725 §3.2)'
  const abilities = possible.length === 0 ? 'none' : possible.join(', ')
  return `the token is encrypted by ${JSON.stringify(alg)}; this ${asymmetricKeyType ?? 'secret'} key decrypts ${abilities}`
}

function problemOf(error: unknown): string {
  if (error instanceof errors.JWEDecryptionFailed) return 'it was encrypted for another key, or was changed'
  return error instanceof Error ? error.message : 'unknown'
}

/**
 * Decrypts a compact JWE (RFC 7516 §5.2).
 * @throws TokenFormatError, KeyFormatError with the problem in one line
 */
export async function decryptGiven(jwe: string, key: KeyObject): Promise<Uint8Array> {
  const { alg, enc } = decodeJweHeader(jwe)
  if (key.type === 'public') throw new KeyFormatError(publicOnly('decrypts'))
  const algorithms = decrypters(key)
  if (!algorithms.some(each => each === alg)) {
    throw new KeyFormatError(`cannot decrypt: ${misfit(alg, key, algorithms)}`)
  }
  try {
    const decrypter = key.type === 'secret' ? keyOfSecret(key.export(), alg, enc) : key
    const { plaintext } = await compactDecrypt(jwe, decrypter, {
      keyManagementAlgorithms: [...algorithms],
      maxPBES2Count: MAX_ROUNDS,
    })
    return plaintext
  } catch (error) {
    throw new KeyFormatError(`cannot decrypt: ${problemOf(error)}`)
  }
}

/** The kinds of keys that are made. Sizes are in bits. */
type KeyKind =
  | { readonly type: 'ec'; readonly curve: 'P-256' | 'P-384' | 'P-521' }
  | { readonly type: 'ed25519' }
  | { readonly type: 'rsa' }
  | { readonly type: 'oct'; readonly bits: number }

interface Made {
  readonly kind: KeyKind
  readonly use: 'sig' | 'enc'
}

const signing = (kind: KeyKind): Made => ({ kind, use: 'sig' })
const encrypting = (kind: KeyKind): Made => ({ kind, use: 'enc' })
const rsa: KeyKind = { type: 'rsa' }
const p256: KeyKind = { type: 'ec', curve: 'P-256' }
const oct = (bits: number): KeyKind => ({ type: 'oct', bits })

/** The key for each algorithm (RFC 7518 §3.1, §4.1; RFC 8037; RFC 9864). */
const MADE = {
  ES256: signing(p256),
  ES384: signing({ type: 'ec', curve: 'P-384' }),
  ES512: signing({ type: 'ec', curve: 'P-521' }),
  EdDSA: signing({ type: 'ed25519' }),
  Ed25519: signing({ type: 'ed25519' }),
  RS256: signing(rsa),
  RS384: signing(rsa),
  RS512: signing(rsa),
  PS256: signing(rsa),
  PS384: signing(rsa),
  PS512: signing(rsa),
  HS256: signing(oct(256)),
  HS384: signing(oct(384)),
  HS512: signing(oct(512)),
  'RSA-OAEP': encrypting(rsa),
  'RSA-OAEP-256': encrypting(rsa),
  'RSA-OAEP-384': encrypting(rsa),
  'RSA-OAEP-512': encrypting(rsa),
  'ECDH-ES': encrypting(p256),
  'ECDH-ES+A128KW': encrypting(p256),
  'ECDH-ES+A192KW': encrypting(p256),
  'ECDH-ES+A256KW': encrypting(p256),
} as const satisfies Readonly<Record<string, Made>>

/** An algorithm that a key can be made for. */
export type MadeAlgorithm = keyof typeof MADE

/** All of them, the default first. */
export const MADE_ALGORITHMS = Object.keys(MADE) as readonly MadeAlgorithm[]

const pair = promisify(generateKeyPair)

async function newPrivateKey(kind: Exclude<KeyKind, { type: 'oct' }>, bits: number): Promise<KeyObject> {
  if (kind.type === 'rsa') return (await pair('rsa', { modulusLength: bits })).privateKey
  if (kind.type === 'ec') return (await pair('ec', { namedCurve: kind.curve })).privateKey
  return (await pair('ed25519')).privateKey
}

/** How a key is made. */
interface KeyWish {
  readonly alg: MadeAlgorithm
  /** Size of an RSA key in bits; default 2048. */
  readonly bits?: number
  /** Default: the thumbprint of the key (RFC 7638). */
  readonly kid?: string
}

/** Makes a key for an algorithm: its private JWK, with kid, use and alg (RFC 7517 §4). */
export async function makeJwk({ alg, bits = 2048, kid }: KeyWish): Promise<JWK> {
  const { kind, use } = MADE[alg]
  const jwk: JWK =
    kind.type === 'oct'
      ? { kty: 'oct', k: randomBytes(kind.bits / 8).toString('base64url') }
      : ((await newPrivateKey(kind, bits)).export({ format: 'jwk' }) as JWK)
  return { ...jwk, kid: kid ?? (await calculateJwkThumbprint(jwk)), use, alg }
}
