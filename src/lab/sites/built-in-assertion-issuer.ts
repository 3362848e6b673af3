import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { ed25519Key } from '../../protocol/tokens/keys.js'
import type { AssertionIssuer } from '../../servers/authorization-server/model.js'
import { ensureState } from '../state/alone.js'
import type { StateHome } from '../state/state-folder.js'

/** Of every lab whose lab file names no assertion issuers (RFC 7521 §3). Its key is in the state folder. */
export const BUILT_IN_ISSUER = 'https://assertions.oauth-lab.test'

/** Private key and certificate, 0600. */
const FILE = 'signing-assertions.pem'

const DAY = 86_400_000

/** Both PEM. */
export interface AssertionIssuerKey {
  readonly keyPem: string
  readonly certificatePem: string
}

function parse(text: string): AssertionIssuerKey | undefined {
  const block = (label: string) =>
    new RegExp(`-----BEGIN ${label}-----[\\s\\S]+?-----END ${label}-----\\n`).exec(text)?.[0]
  const [keyPem, certificatePem] = [block('PRIVATE KEY'), block('CERTIFICATE')]
  if (keyPem === undefined || certificatePem === undefined) return undefined
  try {
    return new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem))
      ? { keyPem, certificatePem }
      : undefined
  } catch {
    // The caller replaces a broken file. Its assertions are valid only for minutes.
    return undefined
  }
}

async function make(): Promise<string> {
  const { generate } = await import('selfsigned')
  const now = Date.now()
  const made = await generate([{ name: 'commonName', value: 'oauth-lab assertion issuer' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    curve: 'P-256',
    notBeforeDate: new Date(now - DAY),
    notAfterDate: new Date(now + 3650 * DAY),
  })
  return [made.private, made.cert].map(pem => `${pem.replace(/\r\n/g, '\n').trimEnd()}\n`).join('')
}

/** Made on first use. */
export async function ensureAssertionIssuer(home: StateHome): Promise<AssertionIssuerKey> {
  return ensureState(home, FILE, parse, make)
}

/** Ed25519: its signatures are the same in every run. */
export function seededAssertionKey(seed: number): KeyObject {
  return ed25519Key(createHash('sha256').update(`oauth-lab assertion issuer of seed ${seed}`).digest())
}

/** With its public keys. */
export async function builtInAssertionIssuer(home: StateHome, seed?: number): Promise<AssertionIssuer> {
  const { certificatePem } = await ensureAssertionIssuer(home)
  const keys = [{ ...createPublicKey(certificatePem).export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }]
  if (seed !== undefined) {
    const jwk = createPublicKey(seededAssertionKey(seed)).export({ format: 'jwk' })
    keys.push({ ...jwk, use: 'sig', alg: 'EdDSA' })
  }
  return {
    issuer: BUILT_IN_ISSUER,
    jwks: { keys },
    certificatePem,
    clientless: true,
  }
}
