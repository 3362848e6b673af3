import { createHash, type KeyObject } from 'node:crypto'
import { compactDecrypt, errors } from 'jose'
import { decodeJweHeader } from './decode.js'
import { KeyFormatError } from './given-keys.js'

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

const algorithmsOf = ({ type, asymmetricKeyType }: KeyObject): readonly string[] =>
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
  if (key.type === 'public') throw new KeyFormatError('this is a public key; the private one decrypts')
  const algorithms = algorithmsOf(key)
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
