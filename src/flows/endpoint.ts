import type { AuthorizationServerMetadata } from '../oauth/metadata.js'
import { OAuthError } from '../oauth/oauth-error.js'

/** Returns an endpoint that a flow requires. @throws OAuthError when the metadata does not have the endpoint */
export function endpoint(
  metadata: AuthorizationServerMetadata,
  name:
    | 'authorization_endpoint'
    | 'token_endpoint'
    | 'device_authorization_endpoint'
    | 'pushed_authorization_request_endpoint'
    | 'end_session_endpoint',
): string {
  const url = metadata[name]
  if (url !== undefined) return url
  throw new OAuthError('invalid_metadata', { description: `${name} is missing`, rule: 'RFC 8414 §2' })
}
