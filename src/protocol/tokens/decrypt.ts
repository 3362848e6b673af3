import type { KeyObject } from 'node:crypto'
import { compactDecrypt } from 'jose'
import { CONTENT_ENCRYPTIONS, KEY_ENCRYPTIONS } from '../oauth/response-algorithms.js'

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
