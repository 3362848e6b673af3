import { textResponse } from '../http/message.js'
import { publishedJson } from '../http/published-json.js'
import type { Route } from '../http/routes.js'
import { ASYMMETRIC_ALGORITHMS } from '../oauth/asymmetric-algorithms.js'
import type { ResourceServerSettings } from './settings.js'

/** Path of the metadata of a resource server (RFC 9728 §3). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Returns the metadata document (RFC 9728 §2). It lists only what the settings support. */
function resourceMetadata({ baseUrl, issuer, routes, asksForCertificates }: ResourceServerSettings) {
  const scopes = routes.flatMap(({ scope }) => scope?.split(' ') ?? []).filter(each => each !== '')
  const details = routes.flatMap(({ authorization_details: type }) => type ?? [])
  return {
    resource: baseUrl,
    authorization_servers: [issuer],
    scopes_supported: [...new Set(scopes)],
    ...(details.length > 0 && { authorization_details_types_supported: [...new Set(details)] }),
    bearer_methods_supported: ['header'],
    resource_name: 'oauth-lab resource server',
    dpop_signing_alg_values_supported: ASYMMETRIC_ALGORITHMS,
    dpop_bound_access_tokens_required: false,
    ...(asksForCertificates && { tls_client_certificate_bound_access_tokens: true }),
  }
}

/** Returns the routes that need no token: the greeting and the metadata. */
export function publication(settings: ResourceServerSettings): readonly Route[] {
  const document = resourceMetadata(settings)
  return [
    { path: '/', methods: { GET: () => textResponse(200, 'Hello from the oauth-lab resource server.\n') } },
    {
      path: METADATA_PATH,
      methods: { GET: request => publishedJson(request, document) },
    },
  ]
}
