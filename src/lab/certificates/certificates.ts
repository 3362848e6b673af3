import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { defined } from '../../protocol/values.js'
import { addressBytes, certificateName, LAB_NAMES } from '../lab-file/names.js'
import { alone, ensureState } from '../state/alone.js'
import { readState, type StateHome, statePath } from '../state/state-folder.js'
import type { CertificateKey, KeyedCertificate } from './authority.js'
import { isCurrent, keepPair, type ParsedPair, pairText, publish, readPair } from './certificate-files.js'
import { LOCAL_ADDRESSES, notPermitted } from './name-constraints.js'

// Each key shares a file with its certificate, written at once, so they match. `ca.pem` and `self-signed.pem` are public copies.
const CA_KEY = 'ca-key.pem'
const CA = 'ca.pem'
const LEAVES: Readonly<Record<CertificateKey, string>> = { ec: 'leaf.pem', rsa: 'leaf-rsa.pem' }
const SELF_SIGNED_KEY = 'self-signed-key.pem'
const SELF_SIGNED = 'self-signed.pem'
const ROOM = 'workshop-leaf.pem'

/** The certificates of a TLS listener, and the CA for its clients. */
export interface Certificates {
  /** Absolute path. For a state in memory, reading this member makes the file. */
  readonly caFile: string
  readonly caPem: string
  readonly certPem: string
  readonly keyPem: string
  /** Absent when the CA certificate did not change. */
  readonly caChange?: string
}

interface Wanted {
  readonly names: readonly string[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

function namesOf(certificate: X509Certificate): string[] {
  return (certificate.subjectAltName ?? '')
    .split(', ')
    .map(each => each.replace(/^(DNS|IP Address):/, ''))
    .filter(each => each !== '')
    .map(each => (isIP(each) ? certificateName(each) : each))
}

function hasNames(certificate: X509Certificate, names: readonly string[]): boolean {
  const key = (name: string) => (isIP(name) ? Buffer.from(addressBytes(name)).toString('hex') : name)
  const present = new Set(namesOf(certificate).map(key))
  return names.every(name => present.has(key(name)))
}

/** Makes an authority when there is none, or when it expires. */
async function ensureAuthority(
  home: StateHome,
  { names, now }: Wanted,
): Promise<{ ca: ParsedPair; change?: string }> {
  const text = await readState(home, CA_KEY)
  const ca = readPair(text)
  if (isUsable(ca, now)) return { ca }
  const { makeAuthority } = await import('./authority.js')
  const made = await keepPair(home, CA_KEY, await makeAuthority(names, now))
  if (text === undefined) return { ca: made }
  return { ca: made, change: ca ? 'the old one expires' : `${CA_KEY} could not be read` }
}

const isUsable = (ca: ParsedPair | undefined, now: number): ca is ParsedPair =>
  ca?.certificate.ca === true && isCurrent(ca.certificate, now)

interface WantedPairs extends Wanted {
  readonly type: CertificateKey
}

interface Pairs {
  readonly ca: ParsedPair
  readonly leaf: ParsedPair
  readonly change?: string
}

/** Undefined where one of both has to be made. */
async function keptPairs(home: StateHome, want: WantedPairs): Promise<Pairs | undefined> {
  const [ca, leaf] = [
    readPair(await readState(home, CA_KEY)),
    readPair(await readState(home, LEAVES[want.type])),
  ]
  return isUsable(ca, want.now) && leafFits(leaf, ca, want) ? { ca, leaf } : undefined
}

async function makePairs(home: StateHome, want: WantedPairs): Promise<Pairs> {
  const first = await ensureAuthority(home, want)
  const { ca, change = first.change } = await widenAuthority(home, first.ca, want)
  const { makeLeaf } = await import('./authority.js')
  const leaf = await keepPair(home, LEAVES[want.type], await makeLeaf(ca, want.names, want.now, want.type))
  return defined({ ca, leaf, change })
}

/** Widens the name constraints. Key and subject stay the same. */
async function widenAuthority(
  home: StateHome,
  ca: ParsedPair,
  { names, now }: Wanted,
): Promise<{ ca: ParsedPair; change?: string }> {
  const { makeAuthority, readLimits } = await import('./authority.js')
  const { notPermitted } = await import('./name-constraints.js')
  const { names: permitted } = await readLimits(ca.certPem)
  const missing = permitted ? notPermitted(permitted, names) : []
  if (!permitted || missing.length === 0) return { ca }
  const made = await makeAuthority([...permitted, ...missing], now, ca)
  return {
    ca: await keepPair(home, CA_KEY, made),
    change: `the old one may not sign for ${missing.join(', ')}`,
  }
}

function leafFits(leaf: ParsedPair | undefined, ca: ParsedPair, { names, now }: Wanted): leaf is ParsedPair {
  return (
    leaf !== undefined &&
    isCurrent(leaf.certificate, now) &&
    leaf.certificate.checkIssued(ca.certificate) &&
    leaf.certificate.verify(ca.certificate.publicKey) &&
    hasNames(leaf.certificate, names)
  )
}

function wanted(names: readonly string[], now: number): Wanted {
  return { names: [...new Set([...LAB_NAMES, ...names.map(certificateName)])], now }
}

/**
 * Returns the lab's certificates. Makes those that are missing, expire, lack a name or cannot be read.
 * @param names names and addresses besides localhost, 127.0.0.1 and ::1
 * @param now milliseconds since the epoch
 * @param type of the key of the server's certificate
 * @throws UsageError for a bad name or a state folder that cannot be used
 */
export async function ensureCertificates(
  home: StateHome,
  names: readonly string[] = [],
  now = Date.now(),
  type: CertificateKey = 'ec',
): Promise<Certificates> {
  const want = { ...wanted(names, now), type }
  const make = async () => (await keptPairs(home, want)) ?? makePairs(home, want)
  const { ca, leaf, change } = (await keptPairs(home, want)) ?? (await alone(home, CA_KEY, make))
  await publish(home, CA, ca.certPem)
  return {
    get caFile() {
      return statePath(home, CA)
    },
    caPem: ca.certPem,
    certPem: leaf.certPem,
    keyPem: leaf.keyPem,
    ...(change !== undefined && { caChange: change }),
  }
}

/**
 * Returns the certificate of a workshop. The code of the room pins it, so it stays while it is valid: also with other addresses, and with another
 * authority. Makes it when there is none.
 */
export async function ensureRoomCertificate(
  home: StateHome,
  names: readonly string[],
  now = Date.now(),
): Promise<Certificates> {
  const authority = await ensureCertificates(home, names, now)
  const read = (text: string) => {
    const pair = readPair(text)
    return pair && isCurrent(pair.certificate, now) ? pair : undefined
  }
  const make = async () => {
    const ca = readPair(await readState(home, CA_KEY))
    const { makeLeaf } = await import('./authority.js')
    return pairText(await makeLeaf(ca!, wanted(names, now).names, now))
  }
  const { certPem, keyPem } = await ensureState(home, ROOM, read, make)
  return { caFile: authority.caFile, caPem: authority.caPem, certPem, keyPem }
}

interface RenewedCertificates extends Certificates {
  /** A sentence for each limit that the new authority has and the old one had not. */
  readonly gains: readonly string[]
}

/** Makes authority and certificate even when usable ones exist. Clients must trust the new authority. */
export async function renewCertificates(
  home: StateHome,
  names: readonly string[] = [],
  now = Date.now(),
): Promise<RenewedCertificates> {
  const { makeAuthority, makeLeaf } = await import('./authority.js')
  const want = wanted(names, now)
  const gains = await limitsToGain(home)
  await alone(home, CA_KEY, async () => {
    const ca = await makeAuthority(want.names, now)
    await keepPair(home, CA_KEY, ca)
    await keepPair(home, LEAVES.ec, await makeLeaf(ca, want.names, now))
  })
  const made = await ensureCertificates(home, names, now)
  return { ...made, caFile: made.caFile, gains }
}

/** A sentence for each limit that `renewCertificates` would add to the authority of a state folder. */
export async function limitsToGain(home: StateHome): Promise<string[]> {
  const ca = readPair(await readState(home, CA_KEY))
  if (!ca) return []
  return missingLimits(ca.certPem)
}

/** Returns the certificate of `serve --self-signed`, which signs itself. It is kept and renewed like the others. */
export async function ensureSelfSigned(
  home: StateHome,
  names: readonly string[] = [],
  now = Date.now(),
): Promise<Certificates> {
  const want = wanted(names, now)
  const old = readPair(await readState(home, SELF_SIGNED_KEY))
  const read = (text: string) => {
    const kept = readPair(text)
    return kept && isCurrent(kept.certificate, now) && hasNames(kept.certificate, want.names)
      ? kept
      : undefined
  }
  const make = async () => pairText(await makeSelfSigned(want.names, now))
  const pair = await ensureState(home, SELF_SIGNED_KEY, read, make)
  await publish(home, SELF_SIGNED, pair.certPem)
  return {
    get caFile() {
      return statePath(home, SELF_SIGNED)
    },
    caPem: pair.certPem,
    certPem: pair.certPem,
    keyPem: pair.keyPem,
    ...(old && old.certPem !== pair.certPem && { caChange: 'the old one expires or misses a name' }),
  }
}

interface CertificateFacts {
  readonly subject: string
  /** Colon-separated hexadecimal. */
  readonly sha256: string
  readonly not_before: string
  readonly not_after: string
}

function facts(certificate: X509Certificate): CertificateFacts {
  return {
    subject: certificate.subject.split('\n').join(', '),
    sha256: certificate.fingerprint256,
    not_before: new Date(certificate.validFrom).toISOString(),
    not_after: new Date(certificate.validTo).toISOString(),
  }
}

/** For people. Times are ISO 8601 UTC. */
export function describeCertificates({ caFile, caPem, certPem }: Certificates): {
  ca: CertificateFacts & { file: string }
  leaf: CertificateFacts & { names: string[] }
} {
  const leaf = new X509Certificate(certPem)
  return {
    ca: { file: caFile, ...facts(new X509Certificate(caPem)) },
    leaf: { ...facts(leaf), names: namesOf(leaf) },
  }
}

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

async function missingLimits(certPem: string): Promise<string[]> {
  const { readLimits } = await import('./authority.js')
  const { purposes, names, mailboxes, uris } = await readLimits(certPem)
  const missing: string[] = []
  if (purposes.length !== 1 || purposes[0] !== SERVER_AUTH) {
    missing.push('it signs certificates of TLS servers alone, none of clients, mail or code')
  }
  if (!mailboxes || !uris) missing.push('it signs no certificate for a mailbox or a URI')
  if (names && notPermitted(names, LOCAL_ADDRESSES).length > 0) {
    missing.push('it stays when serve gets another --host or --san that is an address of a private network')
  }
  return missing
}

const DAY = 86_400_000

/**
 * Makes a certificate that signs itself. It is an authority (CA:TRUE), because browsers trust no other self-signed
 * certificate, so its key must be kept like that of an authority. @param now milliseconds since the epoch
 */
export async function makeSelfSigned(names: readonly string[], now: number): Promise<KeyedCertificate> {
  const { generate } = await import('selfsigned')
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    curve: 'P-256',
    notBeforeDate: new Date(now - DAY),
    notAfterDate: new Date(now + 395 * DAY),
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map(each => (isIP(each) ? { type: 7, ip: each } : { type: 2, value: each })),
      },
    ],
  })
  return { certPem: withNewline(made.cert), keyPem: withNewline(made.private) }
}

const withNewline = (pem: string): string => `${pem.replace(/\r\n/g, '\n').trimEnd()}\n`
