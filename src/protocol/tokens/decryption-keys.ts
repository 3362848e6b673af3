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

/**
 * The server's keys of a kind, the published one first. The ones after it decrypt alone: clients keep a key set for a while
 * (OpenID Connect Core §10.2.1).
 */
export type KeptDecryptionKeys = readonly [DecryptionKey, ...DecryptionKey[]]

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
  const [published = text, ...older] = text.match(PEM_BLOCK) ?? []
  return Promise.all([loadDecryptionKey(published), ...older.map(loadDecryptionKey)])
}

const PEM_BLOCK = /-----BEGIN PRIVATE KEY-----[^-]*-----END PRIVATE KEY-----\n?/g

/** The place of the keys. */
export interface DecryptionKeyFiles {
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
