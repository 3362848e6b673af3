import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, type JWK } from 'jose'
import type { EncryptionKeyKind } from '../oauth/request-object.js'

/** A private key that decrypts, with its published half. */
export interface DecryptionKey {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string
  readonly privateKey: KeyObject
  /** Public members, `kid` and `use: enc`. It serves every algorithm of its kind, so it names none (RFC 7517 §4.4). */
  readonly publicJwk: JWK
}

/** Returns the server's key of a kind. The first call makes the key. */
export type DecryptionKeys = (kind: EncryptionKeyKind) => Promise<DecryptionKey>

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

/**
 * Makes each key once.
 * @param open reads or makes the PEM of a kind
 */
export function createDecryptionKeys(
  open: (kind: EncryptionKeyKind) => Promise<string> = generateDecryptionKeyPem,
): DecryptionKeys {
  const made = new Map<EncryptionKeyKind, Promise<DecryptionKey>>()
  return kind => {
    const known = made.get(kind)
    if (known !== undefined) return known
    const making = open(kind)
      .then(loadDecryptionKey)
      .catch(error => {
        made.delete(kind)
        throw error
      })
    made.set(kind, making)
    return making
  }
}
