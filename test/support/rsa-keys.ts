import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Making an RSA key takes a fifth of a second of processor time. These three belong to the tests alone.

const read = (file: string) => readFileSync(join(import.meta.dirname, 'rsa', file), 'utf8')

/** The PKCS#8 PEM of a known RSA key of 2048 bits. */
export const rsaPem = (key: 1 | 2 | 3): string => read(`${key}.pem`)

/** The self-signed certificate of a known RSA key, in PEM. It ends in the next century. */
export const rsaCertificate = (key: 1 | 2): string => read(`${key}.crt`)

/** A known RSA key. */
export function rsaPair(key: 1 | 2 | 3): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  const privateKey = createPrivateKey(rsaPem(key))
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
