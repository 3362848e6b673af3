import { X509Certificate } from 'node:crypto'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { AttributeTypeAndValue, GeneralName } from '@peculiar/asn1-x509'
import { bounded } from '../../../protocol/events.js'
import { type ClientCertificate, type HttpRequest, splitUrl } from '../../../protocol/http/message.js'
import type { CertificateMethod, Client } from '../../../protocol/oauth/client.js'
import {
  type DistinguishedName,
  formatDistinguishedName,
  type NameAttribute,
  parseDistinguishedName,
  sameName,
} from '../../../protocol/oauth/distinguished-name.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { certificateThumbprint } from '../../../protocol/tokens/confirmation.js'
import { AUTHENTICATION_PATH } from '../backchannel/paths.js'
import { ClientKeysError } from '../stores/client-keys.js'

/** The methods of clients that authenticate by certificate, as the metadata lists them. */
export const CERTIFICATE_METHODS = ['tls_client_auth', 'self_signed_tls_client_auth'] as const

/** The endpoints that are reached with a client certificate too, by their members of the metadata (RFC 8705 §5). */
export const MTLS_PATHS = {
  token_endpoint: '/token',
  userinfo_endpoint: '/userinfo',
  revocation_endpoint: '/revocation',
  introspection_endpoint: '/introspection',
  pushed_authorization_request_endpoint: '/par',
  device_authorization_endpoint: '/device_authorization',
  backchannel_authentication_endpoint: AUTHENTICATION_PATH,
} as const

/** Returns the addresses of the endpoints at a base URL. */
export function endpointAliases(baseUrl: string): Readonly<Record<keyof typeof MTLS_PATHS, string>> {
  const aliases = Object.entries(MTLS_PATHS).map(([name, path]) => [name, baseUrl + path])
  return Object.fromEntries(aliases)
}

/** Returns the base URL that a request was sent to: that of the issuer, or that of the endpoints with certificates. */
export function baseOf(
  http: HttpRequest,
  { issuer, mtlsUrl }: { readonly issuer: string; readonly mtlsUrl: string | undefined },
): string {
  return mtlsUrl !== undefined && splitUrl(http.url).origin === mtlsUrl ? mtlsUrl : issuer
}

function refused(description: string, rule: Citation, evidence?: string): OAuthError<'invalid_client'> {
  return new OAuthError('invalid_client', { description, rule, evidence })
}

/**
 * Returns the certificate of a request.
 * @param mtlsUrl the base URL of the endpoints that ask for certificates; undefined: there are none
 * @throws OAuthError `invalid_client` for a request without one
 */
function presented(
  http: HttpRequest,
  mtlsUrl: string | undefined,
  method: CertificateMethod,
): ClientCertificate {
  if (http.certificate !== undefined) return http.certificate
  const { origin, path } = splitUrl(http.url)
  if (mtlsUrl === undefined || origin === mtlsUrl) {
    throw refused(`this client uses ${method}, and the connection has no client certificate`, 'RFC 8705 §2')
  }
  const description = `this client uses ${method}: send the request with its certificate to ${mtlsUrl}${path}`
  throw refused(description, 'RFC 8705 §5')
}

const CHAIN_PROBLEMS: Readonly<Record<NonNullable<ClientCertificate['chain']>, string>> = {
  self_signed: 'the certificate signs itself; this client needs one of the CA of client certificates',
  other_ca: 'the certificate was not issued by the CA of client certificates',
  wrong_purpose: 'the certificate is not one for TLS clients',
}

/** Returns the text that names a certificate in events. */
async function described({ der }: ClientCertificate): Promise<string> {
  const names = await namesOf(der)
  const subject = names === undefined ? '' : `subject: ${formatDistinguishedName(names.subject)}, `
  return bounded(`${subject}x5t#S256: ${certificateThumbprint({ der })}`)
}

async function namesOf(der: Uint8Array): Promise<CertificateNames | undefined> {
  try {
    return await readCertificateNames(der)
  } catch {
    // The decoder is stricter than that of the handshake.
    return undefined
  }
}

async function checkIssued(client: Client, certificate: ClientCertificate): Promise<void> {
  const { chain, der } = certificate
  if (chain !== undefined) {
    throw refused(CHAIN_PROBLEMS[chain], 'RFC 8705 §2.1', await described(certificate))
  }
  const names = await namesOf(der)
  if (names === undefined) throw refused('the names in the certificate cannot be read', 'RFC 8705 §2.1')
  const wrong = subjectProblem(client, names)
  if (wrong !== undefined) throw refused(wrong.problem, 'RFC 8705 §2.1', wrong.evidence)
}

/** The members of a JWK that hold the public key (RFC 7638 §3.2). */
const KEY_MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const

type Jwk = Readonly<Record<string, unknown>>

/** Returns the public key of a certificate; undefined for a kind of key that has no JWK. */
function keyOf(der: Uint8Array): Jwk | undefined {
  try {
    return new X509Certificate(der).publicKey.export({ format: 'jwk' }) as Jwk
  } catch {
    return undefined
  }
}

/** True for a registered key that is the key of a certificate. An `x5c` may be any certificate of that key. */
function isKey(registered: Jwk, key: Jwk): boolean {
  return KEY_MEMBERS.every(member => registered[member] === key[member])
}

/** Returns the keys of a client. A set at an address that lacks `kid` is fetched again. */
type KeysOf = (kid?: string) => Promise<readonly Jwk[]>

async function checkRegisteredKey(keysOf: KeysOf, certificate: ClientCertificate): Promise<void> {
  const key = keyOf(certificate.der)
  const isRegistered = async (kid?: string) => {
    try {
      return key !== undefined && (await keysOf(kid)).some(each => isKey(each, key))
    } catch (error) {
      if (!(error instanceof ClientKeysError)) throw error
      throw refused(error.message, 'RFC 8705 §2.2', await described(certificate))
    }
  }
  // The client may have changed its certificate: no set has this id, so a set at an address is fetched again.
  if ((await isRegistered()) || (await isRegistered(certificateThumbprint(certificate)))) return
  throw refused(
    'the public key of the certificate is not among the keys of this client',
    'RFC 8705 §2.2',
    await described(certificate),
  )
}

interface CertificateAuthentication {
  readonly client: Client
  readonly method: CertificateMethod
  readonly http: HttpRequest
  readonly mtlsUrl: string | undefined
  /** Returns the keys of the client, for `self_signed_tls_client_auth`. */
  readonly keysOf: KeysOf
}

/**
 * Authenticates a client by the certificate of its connection (RFC 8705 §2).
 * @throws OAuthError `invalid_client`
 */
export async function authenticateByCertificate(parts: CertificateAuthentication): Promise<void> {
  const { client, method, http, mtlsUrl, keysOf } = parts
  const certificate = presented(http, mtlsUrl, method)
  if (certificate.outdated !== undefined) {
    const problem = certificate.outdated === 'expired' ? 'has expired' : 'is not valid yet'
    const rule = method === 'tls_client_auth' ? 'RFC 8705 §2.1' : 'RFC 8705 §2.2'
    throw refused(`the client certificate ${problem}`, rule, await described(certificate))
  }
  if (method === 'tls_client_auth') return checkIssued(client, certificate)
  return checkRegisteredKey(keysOf, certificate)
}

interface CertificateNames {
  readonly subject: DistinguishedName
  /** The entries of subjectAltName by their kind (RFC 5280 §4.2.1.6). */
  readonly dns: readonly string[]
  readonly uri: readonly string[]
  readonly ip: readonly string[]
  readonly email: readonly string[]
}

async function engine() {
  const [{ AsnConvert }, x509] = await Promise.all([
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-x509'),
  ])
  return { AsnConvert, x509 }
}

/**
 * Reads the names in a certificate. They are compared as data: a certificate may hold any text, and each program writes
 * names in its own way (RFC 8705 §7.5).
 * @throws an error of the decoder for a certificate that it cannot read
 */
async function readCertificateNames(der: Uint8Array): Promise<CertificateNames> {
  const { AsnConvert, x509 } = await engine()
  const { tbsCertificate } = AsnConvert.parse(der, x509.Certificate)
  const attribute = ({ type: oid, value }: AttributeTypeAndValue): NameAttribute => {
    const hex = Buffer.from(AsnConvert.serialize(value)).toString('hex')
    return value.anyValue === undefined ? { oid, text: value.toString(), hex } : { oid, hex }
  }
  const extension = tbsCertificate.extensions?.find(each => each.extnID === x509.id_ce_subjectAltName)
  const entries: readonly GeneralName[] =
    extension === undefined ? [] : AsnConvert.parse(extension.extnValue, x509.SubjectAlternativeName)
  return {
    subject: [...tbsCertificate.subject].reverse().map(relative => [...relative].map(attribute)),
    dns: entries.flatMap(({ dNSName }) => dNSName ?? []),
    uri: entries.flatMap(({ uniformResourceIdentifier }) => uniformResourceIdentifier ?? []),
    ip: entries.flatMap(({ iPAddress }) => iPAddress ?? []),
    email: entries.flatMap(({ rfc822Name }) => rfc822Name ?? []),
  }
}

/** The members of a client that name the subject of its certificate (RFC 8705 §2.1.2). */
export const SUBJECT_MEMBERS = [
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const

/** True for the same address, however both are written (RFC 5952). */
function sameAddress(a: string, b: string): boolean {
  if (isIP(a) === 0 || isIP(a) !== isIP(b)) return false
  const family = isIPv6(a) ? 'ipv6' : 'ipv4'
  const list = new BlockList()
  list.addAddress(a, family)
  return list.check(b, family)
}

/** True for the same mailbox. Only its domain is compared without regard to case (RFC 5280 §4.2.1.6). */
function sameMailbox(a: string, b: string): boolean {
  const split = (mailbox: string) => {
    const at = mailbox.lastIndexOf('@')
    return mailbox.slice(0, at) + mailbox.slice(at).toLowerCase()
  }
  return split(a) === split(b)
}

interface SubjectProblem {
  readonly problem: string
  readonly evidence: string
}

function wrongSubject(registered: string, { subject }: CertificateNames): SubjectProblem | undefined {
  const read = parseDistinguishedName(registered)
  if ('name' in read && sameName(read.name, subject)) return undefined
  const reversed = 'name' in read && sameName([...read.name].reverse(), subject)
  const order = reversed ? '; the registered name has its parts in the wrong order (RFC 4514 §2.1)' : ''
  return {
    problem: 'the subject of the certificate is not the registered tls_client_auth_subject_dn',
    evidence: bounded(`subject: ${formatDistinguishedName(subject)}${order}`),
  }
}

type AlternativeKind = 'dns' | 'uri' | 'ip' | 'email'

const SAME: Readonly<Record<AlternativeKind, (a: string, b: string) => boolean>> = {
  dns: (a, b) => a.toLowerCase() === b.toLowerCase(),
  uri: (a, b) => a === b,
  ip: sameAddress,
  email: sameMailbox,
}

/** Returns the problem of a certificate whose names are not those of its client; undefined where they are. */
function subjectProblem(client: Client, names: CertificateNames): SubjectProblem | undefined {
  const member = SUBJECT_MEMBERS.find(each => client[each] !== undefined)
  if (member === undefined) {
    return { problem: 'this client has no registered subject of its certificate', evidence: client.client_id }
  }
  const registered = client[member]!
  if (member === 'tls_client_auth_subject_dn') return wrongSubject(registered, names)
  const kind = member.slice('tls_client_auth_san_'.length) as AlternativeKind
  if (names[kind].some(each => SAME[kind](registered, each))) return undefined
  return {
    problem: `the certificate does not have the registered ${member}`,
    evidence: bounded(`its ${kind} names: ${names[kind].join(', ') || 'none'}`),
  }
}
