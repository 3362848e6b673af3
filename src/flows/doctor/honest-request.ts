import { type AuthorizationRequest, authorizationRequest } from '../../oauth/authorization.js'
import type { AuthorizationServerMetadata } from '../../oauth/metadata.js'
import { flowOptions, type ServerUnderTest } from './server-under-test.js'

/** The authorization request of the honest flow, with another state. Undefined without an authorization endpoint. */
export function honestRequest(
  server: ServerUnderTest,
  metadata: AuthorizationServerMetadata,
  state: string,
): AuthorizationRequest | undefined {
  const { scope, clientId, redirectUri } = flowOptions(server, metadata)
  const endpoint = metadata.authorization_endpoint
  if (endpoint === undefined) return undefined
  return authorizationRequest({
    endpoint,
    issuer: metadata.issuer,
    responseType: 'code',
    clientId,
    redirectUri,
    state,
    issPromised: false,
    codeVerifier: 'oauth-lab-doctor-asks-and-redeems-nothing-00',
    ...(scope !== undefined && { scope, nonce: 'oauth-lab-doctor' }),
  })
}
