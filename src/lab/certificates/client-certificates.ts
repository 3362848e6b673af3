import { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ClientCertificate } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'

/** RFC 5280 §4.2.1.12. */
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
const ANY_PURPOSE = '2.5.29.37.0'

/** True when a certificate names no purpose, or that of TLS clients. Node calls extendedKeyUsage `keyUsage`. */
function isForClients({ keyUsage }: X509Certificate): boolean {
  // Node's type leaves out undefined, the value without the extension.
  const purposes: readonly string[] | undefined = keyUsage
  return purposes === undefined || purposes.includes(CLIENT_AUTH) || purposes.includes(ANY_PURPOSE)
}

/** Equal names alone prove nothing. */
function isSigned(certificate: X509Certificate, authority: X509Certificate): boolean {
  try {
    return certificate.issuer === authority.subject && certificate.verify(authority.publicKey)
  } catch {
    // OpenSSL throws for a signature algorithm that it does not know.
    return false
  }
}

/** The CA of client certificates signs no authority, so a chain has one step. @param now milliseconds since the epoch */
export function judgeCertificate(
  certificate: X509Certificate,
  authority: X509Certificate,
  now: number,
): ClientCertificate {
  const der = new Uint8Array(certificate.raw)
  return defined({ der, chain: chainProblem(certificate, authority), outdated: outdated(certificate, now) })
}

function chainProblem(certificate: X509Certificate, authority: X509Certificate): ClientCertificate['chain'] {
  if (isSigned(certificate, authority)) {
    return certificate.ca || !isForClients(certificate) ? 'wrong_purpose' : undefined
  }
  return isSigned(certificate, certificate) ? 'self_signed' : 'other_ca'
}

function outdated({ validFrom, validTo }: X509Certificate, now: number): ClientCertificate['outdated'] {
  if (now < Date.parse(validFrom)) return 'not_yet_valid'
  return now > Date.parse(validTo) ? 'expired' : undefined
}

/**
 * Parses a certificate once a connection, and judges its times at each request by the real clock, as TLS does.
 * @param caPem the CA of client certificates
 */
export function createCertificateReader(caPem: string): (socket: Socket) => ClientCertificate | undefined {
  const authority = new X509Certificate(caPem)
  const known = new WeakMap<Socket, X509Certificate>()
  return socket => {
    const parsed =
      known.get(socket) ?? (socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined)
    if (parsed === undefined) return undefined
    known.set(socket, parsed)
    return judgeCertificate(parsed, authority, Date.now())
  }
}
