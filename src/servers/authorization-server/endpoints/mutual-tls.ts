import { type HttpRequest, splitUrl } from '../../../protocol/http/message.js'
import { AUTHENTICATION_PATH } from '../backchannel/paths.js'

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
