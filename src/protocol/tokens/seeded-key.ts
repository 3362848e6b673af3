import { createPrivateKey, type KeyObject } from 'node:crypto'

/** The beginning of an Ed25519 private key in PKCS#8 (RFC 8410 §7). The 32 bytes of the key follow. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Makes the Ed25519 key of 32 bytes. Its signatures are the same in every run (RFC 8032 §5.1.6), unlike those of ECDSA and RSA-PSS.
 */
export function ed25519Key(bytes: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: 'der', type: 'pkcs8' })
}
