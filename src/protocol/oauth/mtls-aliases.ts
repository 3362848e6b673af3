import { isUrl } from '../http/address.js'
import type { AuthorizationServerMetadata } from './metadata.js'

/** The endpoints whose aliases a client uses (RFC 8705 §5). */
const ALIASED = [
  'token_endpoint',
  'userinfo_endpoint',
  'revocation_endpoint',
  'introspection_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'backchannel_authentication_endpoint',
] as const

/** True for an address that a certificate can be shown to. */
function isHttps(value: unknown): value is string {
  return typeof value === 'string' && /^https:\/\//i.test(value) && isUrl(value)
}

/**
 * Returns the metadata as a client with a certificate uses them: aliases take the place of endpoints, and an endpoint
 * without an alias stays (RFC 8705 §5).
 */
export function withMtlsAliases(metadata: AuthorizationServerMetadata): AuthorizationServerMetadata {
  const aliases = metadata.mtls_endpoint_aliases ?? {}
  const used = ALIASED.flatMap(name => (isHttps(aliases[name]) ? [[name, aliases[name]] as const] : []))
  return { ...metadata, ...Object.fromEntries(used) }
}
