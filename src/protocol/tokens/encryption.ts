import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import {
  CompactEncrypt,
  calculateJwkThumbprint,
  compactDecrypt,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose'
import type { EncryptionKeyKind } from '../oauth/algorithms.js'
import {
  CONTENT_ENCRYPTIONS,
  type ContentEncryption,
  KEY_ENCRYPTIONS,
  type KeyEncryption,
} from '../oauth/algorithms.js'
import type { JwkSet } from './keys.js'

/** The algorithms of a JWE. */
interface Encryption {
  readonly alg: KeyEncryption
  readonly enc: ContentEncryption
}

/** Sizes of content keys, in bytes (RFC 7518 §5.1). */
const KEY_BYTES: Readonly<Record<ContentEncryption, number>> = {
  'A128CBC-HS256': 32,
  'A256CBC-HS512': 64,
  A128GCM: 16,
  A256GCM: 32,
}

/** Returns the content key that a client secret stands for: the left part of its hash (OpenID Connect Core §10.2). */
export function contentKey(secret: string, enc: ContentEncryption): Uint8Array {
  const size = KEY_BYTES[enc]
  const digest = createHash(size > 32 ? 'sha512' : 'sha256')
    .update(secret)
    .digest()
  return new Uint8Array(digest.subarray(0, size))
}

const CURVES: readonly unknown[] = ['P-256', 'P-384', 'P-521', 'X25519']

/** True when a public key serves an algorithm: its kind, its curve, its `use` and its `alg` (RFC 7517 §4.2, §4.4). */
function serves(key: JWK, alg: KeyEncryption): boolean {
  if (key.use !== undefined && key.use !== 'enc') return false
  if (key.alg !== undefined && key.alg !== alg) return false
  if (alg.startsWith('RSA-')) return key.kty === 'RSA'
  return (key.kty === 'EC' || key.kty === 'OKP') && CURVES.includes(key.crv)
}

/**
 * Returns the key of a set to encrypt with. A key that names the algorithm goes before a key for encryption, and that
 * before a key of any use. Undefined when no key serves.
 */
export function encryptionKey({ keys }: JwkSet, alg: KeyEncryption): JWK | undefined {
  const serving = keys.filter(each => serves(each, alg))
  return serving.find(each => each.alg === alg) ?? serving.find(each => each.use === 'enc') ?? serving[0]
}

/** The header members of a JWE beside its algorithms. */
interface JweHeader {
  readonly kid?: string | undefined
  /** `JWT` for a signed JWT inside (RFC 7519 §5.2). */
  readonly cty?: 'JWT' | undefined
  readonly typ?: string | undefined
}

/** Encrypts a text as a compact JWE (RFC 7516 §3.1). */
export async function encryptText(
  text: string,
  key: JWK | Uint8Array,
  { alg, enc }: Encryption,
  { kid, cty, typ }: JweHeader,
): Promise<string> {
  const header = Object.fromEntries(
    Object.entries({ alg, enc, kid, cty, typ }).filter(([, value]) => value !== undefined),
  )
  const imported = key instanceof Uint8Array ? key : await importJWK(publicOnly(key), alg)
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader(header as { alg: string; enc: string })
    .encrypt(imported)
}

/** The members that make a public key; `use` and `key_ops` of others would refuse the import. */
function publicOnly({ kty, crv, x, y, n, e }: JWK): JsonWebKey {
  return Object.fromEntries(Object.entries({ kty, crv, x, y, n, e }).filter(([, v]) => v !== undefined))
}

/** True for a text in the form of a compact JWE: five parts (RFC 7516 §7.1). */
export function isJwe(text: string): boolean {
  return /^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/.test(text)
}

/** Algorithms for a private key. `dir` is for a shared secret alone. */
const WITH_PRIVATE_KEY = KEY_ENCRYPTIONS.filter(alg => alg !== 'dir')

/** Decrypts a compact JWE with a private key, or with a content key that both sides know (RFC 7516 §5.2). @throws Error with the problem in one line */
export async function decryptJwe(jwe: string, key: KeyObject | Uint8Array): Promise<string> {
  const { plaintext } = await compactDecrypt(jwe, key, {
    keyManagementAlgorithms: key instanceof Uint8Array ? ['dir'] : WITH_PRIVATE_KEY,
    contentEncryptionAlgorithms: [...CONTENT_ENCRYPTIONS],
  })
  return new TextDecoder().decode(plaintext)
}

/** A private key that decrypts, with its published half. */
interface DecryptionKey {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string
  readonly privateKey: KeyObject
  /** Public members, `kid` and `use: enc`. It serves every algorithm of its kind, so it names none (RFC 7517 §4.4). */
  readonly publicJwk: JWK
}

/**
 * The server's keys of a kind, the published one first. The ones after it decrypt alone: clients keep a key set for a while
 * (OpenID Connect Core §10.2.1).
 */
type KeptDecryptionKeys = readonly [DecryptionKey, ...DecryptionKey[]]

/** Returns the server's keys of a kind. The first call makes a key. */
export type DecryptionKeys = (kind: EncryptionKeyKind) => Promise<KeptDecryptionKeys>

/** Makes a key pair, RSA with 2048 bits or P-256, and returns its private half as PKCS#8 PEM. */
export async function generateDecryptionKeyPem(kind: EncryptionKeyKind): Promise<string> {
  const alg = kind === 'RSA' ? 'RSA-OAEP-256' : 'ECDH-ES'
  const { privateKey } = await generateKeyPair(alg, { modulusLength: 2048, crv: 'P-256', extractable: true })
  return exportPKCS8(privateKey)
}

/** Loads a key from PKCS#8 PEM. @throws Error for a text that is no private key */
async function loadDecryptionKey(pem: string): Promise<DecryptionKey> {
  const privateKey = createPrivateKey(pem)
  const members = await exportJWK(createPublicKey(privateKey))
  const kid = await calculateJwkThumbprint(members)
  return { kid, privateKey, publicJwk: { ...members, kid, use: 'enc' } }
}

/** Loads the keys of a text with one PEM or several, the published one first. @throws Error for a text without a private key */
export async function loadDecryptionKeys(text: string): Promise<KeptDecryptionKeys> {
  const [published = text, ...older] = text.match(PRIVATE_PEM) ?? []
  return Promise.all([loadDecryptionKey(published), ...older.map(loadDecryptionKey)])
}

const PRIVATE_PEM = /-----BEGIN PRIVATE KEY-----[^-]*-----END PRIVATE KEY-----\n?/g

/** The place of the keys. */
interface DecryptionKeyFiles {
  /** Reads or makes the PEM of a kind. */
  readonly open: (kind: EncryptionKeyKind) => Promise<string>
  /** Returns a value that changes with the PEM of a kind. */
  readonly version: (kind: EncryptionKeyKind) => string | undefined
}

const IN_MEMORY: DecryptionKeyFiles = { open: generateDecryptionKeyPem, version: () => undefined }

/** Makes each key once, and reads it again when its version changes. */
export function createDecryptionKeys({ open, version }: DecryptionKeyFiles = IN_MEMORY): DecryptionKeys {
  const made = new Map<EncryptionKeyKind, { seen: string | undefined; keys: Promise<KeptDecryptionKeys> }>()

  async function read(kind: EncryptionKeyKind): Promise<KeptDecryptionKeys> {
    try {
      return await loadDecryptionKeys(await open(kind))
    } catch (error) {
      made.delete(kind)
      throw error
    }
  }

  return kind => {
    const known = made.get(kind)
    // A key that is made now has no version yet.
    if (known !== undefined && known.seen === version(kind)) return known.keys
    const making = { seen: version(kind), keys: read(kind) }
    made.set(kind, making)
    return making.keys
  }
}
