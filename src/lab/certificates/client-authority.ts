import { randomBytes, X509Certificate } from 'node:crypto'
import type { GeneralNameType, JsonName, X509Certificate as Made } from '@peculiar/x509'
import type { DistinguishedName } from '../../protocol/oauth/distinguished-name.js'
import { ensureState } from '../state/alone.js'
import type { StateHome } from '../state/state-folder.js'
import {
  DAY,
  EC,
  engine,
  fromPem,
  type KeyedCertificate,
  newKeys,
  pemOf,
  serialNumber,
  toPem,
} from './authority.js'
import { isCurrent, pairText, publish, readPair } from './certificate-files.js'

// No trust store gets the CA of client certificates: only the lab trusts it, to recognise clients.
const CLIENT_CA_KEY = 'client-ca-key.pem'
const CLIENT_CA = 'client-ca.pem'

/** In subjectAltName. */
export interface AlternativeName {
  readonly type: 'dns' | 'url' | 'email' | 'ip'
  readonly value: string
}

export interface ClientSubject {
  readonly subject: DistinguishedName
  readonly names: readonly AlternativeName[]
  readonly days: number
}

/** Certificates begin with the most general part of a name; RFC 4514 §2.1 writes it last. */
function encoded(name: DistinguishedName): JsonName {
  return [...name].reverse().map(relative => {
    const attributes: Record<string, string[]> = {}
    for (const { oid, text, hex } of relative) {
      attributes[oid] = [...(attributes[oid] ?? []), text ?? `#${hex}`]
    }
    return attributes
  })
}

async function makeClientAuthority(now: number): Promise<KeyedCertificate> {
  const x509 = await engine()
  const keys = await newKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=oauth-lab client CA ${randomBytes(4).toString('hex')}, O=oauth-lab`,
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + 3650 * DAY),
    signingAlgorithm: EC,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { certPem: pemOf(certificate), keyPem: await toPem(keys.privateKey) }
}

/** Returns the CA of client certificates; makes it when it is missing, expires or is broken. */
export async function ensureClientAuthority(home: StateHome, now = Date.now()): Promise<KeyedCertificate> {
  const read = (text: string) => {
    const pair = readPair(text)
    return pair?.certificate.ca && isCurrent(pair.certificate, now) ? pair : undefined
  }
  const ca = await ensureState(home, CLIENT_CA_KEY, read, async () =>
    pairText(await makeClientAuthority(now)),
  )
  await publish(home, CLIENT_CA, ca.certPem)
  return ca
}

async function extensionsOf({ names }: ClientSubject) {
  const x509 = await engine()
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
    ...(names.length === 0
      ? []
      : [
          new x509.SubjectAlternativeNameExtension(
            names.map(({ type, value }) => ({ type: type as GeneralNameType, value })),
            false,
          ),
        ]),
  ]
}

/**
 * Makes a client's certificate with its key.
 * @param authority undefined for a certificate that signs itself
 * @param now milliseconds since the epoch
 */
export async function makeClientCertificate(
  wanted: ClientSubject,
  authority: KeyedCertificate | undefined,
  now: number,
): Promise<KeyedCertificate> {
  const x509 = await engine()
  const keys = await newKeys()
  const issuer = authority && new x509.X509Certificate(authority.certPem)
  const end = now + wanted.days * DAY
  const common = {
    serialNumber: serialNumber(),
    // From a day ago, because clocks differ.
    notBefore: new Date(now - DAY),
    notAfter: new Date(Math.min(end, issuer?.notAfter.getTime() ?? end)),
    signingAlgorithm: EC,
    extensions: [
      ...(await extensionsOf(wanted)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  }
  const name = encoded(wanted.subject)
  const certificate: Made =
    issuer === undefined || authority === undefined
      ? await x509.X509CertificateGenerator.createSelfSigned({ ...common, name, keys })
      : await x509.X509CertificateGenerator.create({
          ...common,
          subject: name,
          issuer: issuer.subjectName,
          publicKey: keys.publicKey,
          signingKey: await fromPem(authority.keyPem),
        })
  return { certPem: pemOf(certificate), keyPem: await toPem(keys.privateKey) }
}

/** For `jwks` of a client. */
export function publicJwk(certPem: string): Record<string, unknown> {
  const certificate = new X509Certificate(certPem)
  const x5c = [certificate.raw.toString('base64')]
  return { ...certificate.publicKey.export({ format: 'jwk' }), use: 'sig', x5c }
}
