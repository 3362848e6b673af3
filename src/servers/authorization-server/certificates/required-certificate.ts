import type { HttpRequest } from '../../../protocol/http/message.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'

/** The parts of a token request that decide if it needs a certificate. */
export interface CertificateNeed {
  readonly client: Client
  /** Thumbprint of the key of a DPoP proof. */
  readonly jkt: string | undefined
  /** The base URL of the endpoints that ask for certificates; undefined: there are none. */
  readonly mtlsUrl: string | undefined
}

const refused = (description: string) =>
  new OAuthError('invalid_request', { description, rule: 'RFC 8705 §3.4' })

/**
 * Checks that a client whose tokens are bound to its certificate shows one. RFC 8705 §3.4 would allow an unbound token:
 * a client that asked for bound ones would get what it wanted to avoid. A token has one binding, so there is no proof.
 * @throws OAuthError `invalid_request`
 */
export function requireCertificate(http: HttpRequest, { client, jkt, mtlsUrl }: CertificateNeed): void {
  if (client.tls_client_certificate_bound_access_tokens !== true) return
  if (jkt !== undefined) {
    throw refused('tokens of this client are bound to its certificate: send no DPoP proof')
  }
  const { certificate } = http
  if (certificate === undefined) {
    const where = mtlsUrl === undefined ? '' : `; its address is ${mtlsUrl}/token`
    throw refused(
      `tokens of this client are bound to its certificate, and the connection has no client certificate${where}`,
    )
  }
  if (certificate.outdated === undefined) return
  throw refused(
    certificate.outdated === 'expired'
      ? 'the client certificate has expired'
      : 'the client certificate is not valid yet',
  )
}
