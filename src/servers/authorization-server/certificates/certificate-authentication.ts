import { X509Certificate } from 'node:crypto'
import { bounded } from '../../../protocol/events.js'
import type { ClientCertificate, HttpRequest } from '../../../protocol/http/message.js'
import { splitUrl } from '../../../protocol/http/message.js'
import type { CertificateMethod, Client } from '../../../protocol/oauth/client.js'
import { formatDistinguishedName } from '../../../protocol/oauth/distinguished-name.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { certificateThumbprint } from '../../../protocol/tokens/confirmation.js'
import { ClientKeysError } from '../stores/client-keys.js'
import { type CertificateNames, readCertificateNames } from './certificate-names.js'
import { subjectProblem } from './registered-subject.js'

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

/** The parts that authenticate a client by its certificate. */
export interface CertificateAuthentication {
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
