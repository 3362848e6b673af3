import { createHash } from 'node:crypto'
import type { ClientCertificate } from '../http/message.js'

/** Returns the thumbprint of a certificate (RFC 8705 §3.1). */
export function certificateThumbprint({ der }: Pick<ClientCertificate, 'der'>): string {
  return createHash('sha256').update(der).digest('base64url')
}

/** The members of `cnf`, by which a token names the key or the certificate that it is bound to (RFC 7800 §3.1). */
export type Confirmation = { readonly jkt: string } | { readonly 'x5t#S256': string }

/** Returns the thumbprint in the `cnf` claim of a token (RFC 8705 §3.1); undefined for a token without one. */
export function boundCertificate(cnf: unknown): string | undefined {
  if (typeof cnf !== 'object' || cnf === null || !('x5t#S256' in cnf)) return undefined
  const { 'x5t#S256': thumbprint } = cnf
  return typeof thumbprint === 'string' ? thumbprint : undefined
}

/**
 * Returns the problem of a request with a token that is bound to a certificate; undefined where the connection has that
 * certificate (RFC 8705 §3). Its chain does not matter: the thumbprint names this one certificate.
 */
export function certificateMismatch(
  bound: string,
  { certificate }: { readonly certificate?: ClientCertificate },
): string | undefined {
  if (certificate === undefined) {
    return 'the token is bound to a certificate, and the connection has no client certificate'
  }
  if (certificateThumbprint(certificate) === bound) return undefined
  return 'the token is bound to another certificate than that of the connection'
}
