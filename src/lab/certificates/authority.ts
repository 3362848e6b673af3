import { randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import type { X509Certificate } from '@peculiar/x509'
import { LOCAL_ADDRESSES, notPermitted, permitNames, permittedNames } from './name-constraints.js'

export const DAY = 86_400_000
export const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const NAME_CONSTRAINTS = '2.5.29.30'

export interface KeyedCertificate {
  readonly certPem: string
  readonly keyPem: string
}

export async function engine() {
  return import('@peculiar/x509')
}

/** 128 bits, positive, no leading zero (RFC 5280 §4.1.2.2). */
export function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0]! & 0x7f) | 0x40
  return bytes.toString('hex')
}

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
}

/** The types of a server's key. Some conformance suites ask for the cipher suites of RSA certificates alone. */
export type CertificateKey = 'ec' | 'rsa'

export async function newKeys(type: CertificateKey = 'ec'): Promise<webcrypto.CryptoKeyPair> {
  const algorithm = type === 'rsa' ? RSA : EC
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
}

export async function toPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key))
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END PRIVATE KEY-----\n`
}

export async function fromPem(pem: string): Promise<webcrypto.CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  return (await webcrypto.subtle.importKey('pkcs8', der, EC, true, ['sign'])) as webcrypto.CryptoKey
}

export const pemOf = (certificate: X509Certificate): string => `${certificate.toString('pem')}\n`

/**
 * Makes the lab's certificate authority: ten years, no other authorities, only TLS servers of the given names and of
 * addresses that are not on the Internet.
 * @param now milliseconds since the epoch
 * @param previous key and subject are kept, so that certificates that it signed stay valid
 */
export async function makeAuthority(
  names: readonly string[],
  now: number,
  previous?: { readonly keyPem: string; readonly certPem: string },
): Promise<KeyedCertificate> {
  const x509 = await engine()
  let keys: webcrypto.CryptoKeyPair
  let subject: string
  if (previous) {
    const old = new x509.X509Certificate(previous.certPem)
    keys = { privateKey: await fromPem(previous.keyPem), publicKey: await old.publicKey.export() }
    subject = old.subject
  } else {
    keys = await newKeys()
    // Trust stores look issuers up by name.
    subject = `CN=oauth-lab CA ${randomBytes(4).toString('hex')}, O=oauth-lab`
  }
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: subject,
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + 3650 * DAY),
    signingAlgorithm: EC,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      // Programs limit what an authority signs by its purposes, although RFC 5280 §4.2.1.12 does not say so.
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      new x509.Extension(
        NAME_CONSTRAINTS,
        true,
        await permitNames([...notPermitted(LOCAL_ADDRESSES, names), ...LOCAL_ADDRESSES]),
      ),
    ],
  })
  return { certPem: pemOf(certificate), keyPem: await toPem(keys.privateKey) }
}

export interface AuthorityLimits {
  /** Object identifiers of extendedKeyUsage; none: any purpose. */
  readonly purposes: readonly string[]
  /** Undefined without name constraints. */
  readonly names?: readonly string[]
  /** True when it may not sign for any mailbox and any URI. */
  readonly mailboxes: boolean
  readonly uris: boolean
}

/** Reads the limits of an authority from its certificate. */
export async function readLimits(certPem: string): Promise<AuthorityLimits> {
  const x509 = await engine()
  const certificate = new x509.X509Certificate(certPem)
  const purposes = (certificate.getExtension(x509.ExtendedKeyUsageExtension)?.usages ?? []).map(String)
  const extension = certificate.getExtension(NAME_CONSTRAINTS)
  if (!extension) return { purposes, mailboxes: false, uris: false }
  return { purposes, ...(await permittedNames(new Uint8Array(extension.value))) }
}

/** Makes the server's certificate: from a day ago, because clocks differ, for 396 days at most. Browsers allow 398. */
export async function makeLeaf(
  authority: KeyedCertificate,
  names: readonly string[],
  now: number,
  type?: CertificateKey,
): Promise<KeyedCertificate> {
  const x509 = await engine()
  const issuer = new x509.X509Certificate(authority.certPem)
  const keys = await newKeys(type)
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: 'CN=localhost, O=oauth-lab',
    issuer: issuer.subject,
    notBefore: new Date(now - DAY),
    notAfter: new Date(Math.min(now + 395 * DAY, issuer.notAfter.getTime())),
    signingAlgorithm: EC,
    publicKey: keys.publicKey,
    signingKey: await fromPem(authority.keyPem),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      // Not critical, since the subject is not empty (RFC 5280 §4.2.1.6).
      new x509.SubjectAlternativeNameExtension(
        names.map(value => ({ type: isIP(value) ? 'ip' : 'dns', value })),
        false,
      ),
      await x509.AuthorityKeyIdentifierExtension.create(await issuer.publicKey.export()),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { certPem: pemOf(certificate), keyPem: await toPem(keys.privateKey) }
}
