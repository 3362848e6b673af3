import type { KeyObject } from 'node:crypto'
import { compactDecrypt } from 'jose'
import { CONTENT_ENCRYPTIONS, KEY_ENCRYPTIONS } from '../oauth/response-algorithms.js'

/** True for a text in the form of a compact JWE: five parts (RFC 7516 §7.1). */
export function isJwe(text: string): boolean {
  return /^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/.test(text)
}

/** Algorithms for a private key. `dir` would be a shared secret. */
const ACCEPTED = {
  keyManagementAlgorithms: KEY_ENCRYPTIONS.filter(alg => alg !== 'dir'),
  contentEncryptionAlgorithms: [...CONTENT_ENCRYPTIONS],
}

/** Decrypts a compact JWE with a private key (RFC 7516 §5.2). @throws Error with the problem in one line */
export async function decryptJwe(jwe: string, key: KeyObject): Promise<string> {
  const { plaintext } = await compactDecrypt(jwe, key, ACCEPTED)
  return new TextDecoder().decode(plaintext)
}
