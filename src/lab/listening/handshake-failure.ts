/** The reason why a TLS handshake failed, as far as the listener learned it. */
export type HandshakeReason =
  | 'unknown_ca'
  | 'certificate_refused'
  | 'certificate_expired'
  | 'protocol_version'
  | 'no_shared_cipher'
  | 'plain_http'
  | 'not_tls'
  | 'closed'
  | 'timeout'
  | 'other'

/** The alerts by which a client gives up (RFC 8446 §6.2), by the names of OpenSSL. */
const ALERTS = new Map<string, HandshakeReason>(
  Object.entries({
    UNKNOWN_CA: 'unknown_ca',
    BAD_CERTIFICATE: 'certificate_refused',
    CERTIFICATE_UNKNOWN: 'certificate_refused',
    UNSUPPORTED_CERTIFICATE: 'certificate_refused',
    CERTIFICATE_REVOKED: 'certificate_refused',
    CERTIFICATE_EXPIRED: 'certificate_expired',
    PROTOCOL_VERSION: 'protocol_version',
    HANDSHAKE_FAILURE: 'no_shared_cipher',
    INSUFFICIENT_SECURITY: 'no_shared_cipher',
    USER_CANCELED: 'closed',
    CLOSE_NOTIFY: 'closed',
  }),
)

/** Other errors of Node and of OpenSSL. */
const ERRORS = new Map<string, HandshakeReason>(
  Object.entries({
    ERR_SSL_HTTP_REQUEST: 'plain_http',
    ERR_SSL_HTTPS_PROXY_REQUEST: 'plain_http',
    ERR_SSL_WRONG_VERSION_NUMBER: 'not_tls',
    ERR_SSL_UNSUPPORTED_PROTOCOL: 'protocol_version',
    ERR_SSL_VERSION_TOO_LOW: 'protocol_version',
    ERR_SSL_NO_SHARED_CIPHER: 'no_shared_cipher',
    ERR_SSL_NO_SUITABLE_KEY_SHARE: 'no_shared_cipher',
    ERR_SSL_NO_SUITABLE_SIGNATURE_ALGORITHM: 'no_shared_cipher',
    ERR_SSL_UNEXPECTED_EOF_WHILE_READING: 'closed',
    ECONNRESET: 'closed',
    EPIPE: 'closed',
    ERR_TLS_HANDSHAKE_TIMEOUT: 'timeout',
  }),
)

/** Returns the reason behind the code of an error that a TLS server reports during a handshake. */
export function handshakeReason(code = ''): HandshakeReason {
  // OpenSSL 3.2 writes SSL/TLS_ALERT_…, versions before it SSLV3_ALERT_… or TLSV1_ALERT_….
  const alert = /_ALERT_(\w+)$/.exec(code)?.[1]
  return (alert === undefined ? ERRORS.get(code) : ALERTS.get(alert)) ?? 'other'
}

const TRUST = 'make it trust the CA of the lab:  oauth-lab ca env'

/** The text about a failed handshake, for the person who runs the lab. */
export interface HandshakeText {
  /** Follows the address of the client. */
  readonly description: string
  /** The next move; absent where there is none. */
  readonly hint?: string
}

/**
 * Returns the text about a failed handshake.
 * @param code the code of the error, for reasons without a name
 * @param baseUrl the https address of the listener, no trailing slash
 */
export function handshakeText(reason: HandshakeReason, code: string, baseUrl: string): HandshakeText {
  switch (reason) {
    case 'unknown_ca':
      return { description: 'gave up the handshake: unknown CA', hint: TRUST }
    case 'certificate_refused':
      return {
        description: 'gave up the handshake: it refuses the certificate, its CA or its names',
        hint: `${TRUST}  (names: oauth-lab ca show)`,
      }
    case 'certificate_expired':
      return { description: 'gave up the handshake: certificate expired', hint: 'compare the clocks' }
    case 'protocol_version':
      return { description: 'offers no TLS version of this lab', hint: 'use TLS 1.2 or TLS 1.3' }
    case 'no_shared_cipher':
      return {
        description: 'shares no cipher or signature algorithm with this lab',
        hint: 'allow ECDSA P-256',
      }
    case 'plain_http':
      return { description: 'sent plain HTTP to a TLS port, and was answered 400', hint: `use ${baseUrl}` }
    case 'not_tls':
      return { description: 'sent something that is not TLS', hint: `use ${baseUrl}` }
    case 'closed':
      return {
        description:
          'closed the connection in the handshake, as Node.js and Java do when they do not trust the CA',
        hint: TRUST,
      }
    case 'timeout':
      return { description: 'did not finish the handshake in time' }
    case 'other':
      return { description: `failed the handshake: ${code || 'unknown error'}` }
  }
}
