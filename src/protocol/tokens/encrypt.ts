import { createHash, type JsonWebKey } from 'node:crypto'
import { CompactEncrypt, importJWK, type JWK } from 'jose'
import type { ContentEncryption, KeyEncryption } from '../oauth/response-algorithms.js'
import type { JwkSet } from './keys.js'

/** The algorithms of a JWE. */
export interface Encryption {
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
export interface JweHeader {
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
