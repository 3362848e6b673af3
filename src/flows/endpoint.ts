import type { AuthorizationServerMetadata } from '../oauth/metadata.js'
import { OAuthError } from '../oauth/oauth-error.js'

/** An endpoint that a flow cannot do without. @throws OAuthError where the metadata has none */
export function endpoint(
  metadata: AuthorizationServerMetadata,
  name:
    | 'authorization_endpoint'
    | 'token_endpoint'
    | 'device_authorization_endpoint'
    | 'pushed_authorization_request_endpoint',
): string {
  const url = metadata[name]
  if (url !== undefined) return url
  throw new OAuthError('invalid_metadata', { description: `${name} is missing`, rule: 'RFC 8414 §2' })
}
