import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readState, type StateHome, writeState } from '../state/state-folder.js'
import type { KeyedCertificate } from './authority.js'

/** Milliseconds left, below which a certificate is replaced. */
const RENEW_BEFORE_MS = 30 * 86_400_000

/** A key with its certificate, read back. */
export interface ParsedPair extends KeyedCertificate {
  readonly certificate: X509Certificate
}

/** Undefined when one is broken or they do not match. */
export function readPair(text: string | undefined): ParsedPair | undefined {
  if (text === undefined) return undefined
  const keyPem = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n?/.exec(text)?.[0]
  const certPem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/.exec(text)?.[0]
  if (keyPem === undefined || certPem === undefined) return undefined
  try {
    const certificate = new X509Certificate(certPem)
    return certificate.checkPrivateKey(createPrivateKey(keyPem))
      ? { keyPem, certPem, certificate }
      : undefined
  } catch {
    return undefined
  }
}

/** @param now milliseconds since the epoch */
export function isCurrent(certificate: X509Certificate, now: number): boolean {
  return Date.parse(certificate.validFrom) <= now && now + RENEW_BEFORE_MS < Date.parse(certificate.validTo)
}

/** A pair as the text of its file. */
export const pairText = ({ keyPem, certPem }: KeyedCertificate): string => keyPem + certPem

/** Writes a pair to its file at once. */
export async function keepPair(home: StateHome, name: string, pair: KeyedCertificate): Promise<ParsedPair> {
  const parsed = readPair(await writeState(home, name, pairText(pair)))
  if (!parsed) throw new Error(`${name} cannot be read back`)
  return parsed
}

/** Writes the public copy of a certificate when it differs. */
export async function publish(home: StateHome, name: string, certPem: string): Promise<void> {
  if ((await readState(home, name)) !== certPem) await writeState(home, name, certPem, { mode: 0o644 })
}
