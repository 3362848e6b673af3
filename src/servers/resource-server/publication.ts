import { publishedJson, textResponse } from '../../protocol/http/message.js'
import type { Route } from '../../protocol/http/site.js'
import { ASYMMETRIC_ALGORITHMS } from '../../protocol/oauth/algorithms.js'
import { MCP_PATH, MCP_SCOPES, mcpResource } from './mcp/tools.js'
import type { ResourceServerSettings } from './settings.js'

/** Path of the metadata of a resource server (RFC 9728 §3). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Path of the metadata of the MCP server, which is a resource of its own (RFC 9728 §3.1). */
export const MCP_METADATA_PATH = `${METADATA_PATH}${MCP_PATH}`

/** Returns the algorithms of the DPoP proofs that a server accepts. */
export function proofAlgorithmsOf({
  proofAlgorithms,
}: Pick<ResourceServerSettings, 'proofAlgorithms'>): readonly string[] {
  return proofAlgorithms?.names ?? ASYMMETRIC_ALGORITHMS
}

/** Returns the scopes that routes need, each once. */
export function routeScopes(routes: ResourceServerSettings['routes']): readonly string[] {
  const scopes = routes.flatMap(({ scope }) => scope?.split(' ') ?? [])
  return [...new Set(scopes)].filter(each => each !== '')
}

/** Returns the metadata document (RFC 9728 §2). It lists only what the settings support. */
function resourceMetadata(settings: ResourceServerSettings) {
  const { baseUrl, issuer, routes, asksForCertificates } = settings
  const details = routes.flatMap(({ authorization_details: type }) => type ?? [])
  return {
    resource: baseUrl,
    authorization_servers: [issuer],
    scopes_supported: routeScopes(routes),
    ...(details.length > 0 && { authorization_details_types_supported: [...new Set(details)] }),
    bearer_methods_supported: ['header'],
    resource_name: 'oauth-lab resource server',
    dpop_signing_alg_values_supported: proofAlgorithmsOf(settings),
    dpop_bound_access_tokens_required: false,
    ...(asksForCertificates && { tls_client_certificate_bound_access_tokens: true }),
  }
}

/** Returns the metadata document of the MCP server. */
function mcpMetadata(settings: ResourceServerSettings) {
  const { baseUrl, issuer, asksForCertificates } = settings
  return {
    resource: mcpResource(baseUrl),
    authorization_servers: [issuer],
    scopes_supported: MCP_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'oauth-lab MCP server',
    dpop_signing_alg_values_supported: proofAlgorithmsOf(settings),
    dpop_bound_access_tokens_required: false,
    ...(asksForCertificates && { tls_client_certificate_bound_access_tokens: true }),
  }
}

/** Returns the routes that need no token: the greeting and the metadata. */
export function publication(settings: ResourceServerSettings): readonly Route[] {
  return [
    { path: '/', methods: { GET: () => textResponse(200, 'Hello from the oauth-lab resource server.\n') } },
    { path: METADATA_PATH, methods: { GET: publishedJson(resourceMetadata(settings)) } },
    { path: MCP_METADATA_PATH, methods: { GET: publishedJson(mcpMetadata(settings)) } },
  ]
}
