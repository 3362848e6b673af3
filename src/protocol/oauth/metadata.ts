import { isUrl } from '../http/address.js'
import { but, otherIssuer } from '../second-reading.js'
import { isJsonObject } from '../values.js'
import { shown } from './check.js'
import { OAuthError } from './oauth-error.js'

/** The members of authorization server metadata that we read (RFC 8414 §2, OpenID Connect Discovery §3). */
export interface AuthorizationServerMetadata {
  /** Absent where a person gave the metadata of a server that publishes none. */
  readonly issuer?: string
  readonly authorization_endpoint?: string
  readonly token_endpoint?: string
  readonly jwks_uri?: string
  readonly userinfo_endpoint?: string
  readonly revocation_endpoint?: string
  readonly introspection_endpoint?: string
  readonly pushed_authorization_request_endpoint?: string
  readonly device_authorization_endpoint?: string
  /** OpenID Connect CIBA Core §4. */
  readonly backchannel_authentication_endpoint?: string
  readonly backchannel_token_delivery_modes_supported?: readonly string[]
  readonly backchannel_authentication_request_signing_alg_values_supported?: readonly string[]
  readonly backchannel_user_code_parameter_supported?: boolean
  readonly end_session_endpoint?: string
  /** The addresses of endpoints for clients with a certificate (RFC 8705 §5), by the names of their members. */
  readonly mtls_endpoint_aliases?: Readonly<Record<string, unknown>>
  readonly tls_client_certificate_bound_access_tokens?: boolean
  readonly scopes_supported?: readonly string[]
  readonly response_types_supported?: readonly string[]
  readonly grant_types_supported?: readonly string[]
  readonly token_endpoint_auth_methods_supported?: readonly string[]
  readonly code_challenge_methods_supported?: readonly string[]
  readonly authorization_details_types_supported?: readonly string[]
  readonly id_token_signing_alg_values_supported?: readonly string[]
  readonly authorization_response_iss_parameter_supported?: boolean
  readonly [member: string]: unknown
}

/** Metadata that an issuer publishes: they name it (RFC 8414 §3.3). */
export type PublishedMetadata = AuthorizationServerMetadata & { readonly issuer: string }

const urlMembers = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'revocation_endpoint',
  'introspection_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'backchannel_authentication_endpoint',
  'end_session_endpoint',
] as const

const listMembers = [
  'backchannel_token_delivery_modes_supported',
  'backchannel_authentication_request_signing_alg_values_supported',
  'scopes_supported',
  'response_types_supported',
  'grant_types_supported',
  'token_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
  'authorization_details_types_supported',
  'id_token_signing_alg_values_supported',
] as const

/**
 * Returns the URLs at which an issuer may publish its metadata, best first. OpenID Connect Discovery §4 puts the
 * well-known part after the issuer's path, RFC 8414 §3.1 before the path.
 */
export function metadataUrls(issuer: string): string[] {
  const base = issuer.replace(/\/$/, '')
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${base}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]
}

/** The resources that a server announces (RFC 9728 §4), without what is no string. */
export function announcedResources({ protected_resources: list }: AuthorizationServerMetadata): string[] {
  return Array.isArray(list) ? list.filter(each => typeof each === 'string') : []
}

/** Returns the problem of a metadata member; undefined when the member is valid (RFC 8414 §2). */
function memberProblem(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (urlMembers.some(each => each === name)) {
    const good = typeof value === 'string' && /^https?:\/\//i.test(value) && isUrl(value)
    return good ? undefined : `${name} is not an absolute URL`
  }
  if (listMembers.some(each => each === name)) {
    const good = Array.isArray(value) && value.every(each => typeof each === 'string')
    return good ? undefined : `${name} is not a list of strings`
  }
  return undefined
}

/** The valid members of a metadata document, and the problems of the others. */
export function usableMembers(document: Readonly<Record<string, unknown>>): {
  usable: Record<string, unknown>
  unusable: string[]
} {
  const judged = Object.entries(document).map(([name, value]) => ({
    name,
    value,
    problem: memberProblem(name, value),
  }))
  const good = judged.filter(({ problem }) => problem === undefined)
  return {
    usable: Object.fromEntries(good.map(({ name, value }) => [name, value])),
    unusable: judged.flatMap(({ problem }) => problem ?? []),
  }
}

/**
 * Checks a metadata document. It must be an object, with the requested issuer as the same string, absolute URLs, and
 * lists of strings.
 * @throws OAuthError with the broken rule
 */
export function parseMetadata(document: unknown, issuer: string): PublishedMetadata {
  const rule = 'RFC 8414 §3.3'
  if (!isJsonObject(document)) {
    throw new OAuthError('invalid_metadata', { description: 'the metadata is not a JSON object', rule })
  }
  const members = document as Record<string, unknown>
  if (members.issuer !== issuer) {
    const named = members.issuer === undefined ? 'no issuer' : `the issuer ${shown(members.issuer)}`
    throw new OAuthError('issuer_mismatch', {
      description: `the metadata names ${named}, asked was ${issuer}${but(otherIssuer(members.issuer, issuer))}`,
      rule,
    })
  }
  for (const [name, value] of Object.entries(members)) {
    const problem = memberProblem(name, value)
    if (problem === undefined) continue
    throw new OAuthError('invalid_metadata', { description: problem, rule: 'RFC 8414 §2' })
  }
  return members as unknown as PublishedMetadata
}

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
