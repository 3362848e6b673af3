import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { partsOf, type ResponseType } from '../parameters/response-type.js'
import { clauseOf } from '../profiles/profiles.js'

/**
 * Checks that a client whose tokens are bound to a key proves to hold one.
 * @param jkt thumbprint of the key of a DPoP proof
 * @throws OAuthError `invalid_dpop_proof`
 */
export function requireProof(client: Client, jkt: string | undefined): void {
  if (client.dpop_bound_access_tokens !== true || jkt !== undefined) return
  throw new OAuthError('invalid_dpop_proof', {
    description: 'tokens of this client are bound to a key, and the request has no DPoP proof',
    rule: clauseOf(client, 'bound', 'RFC 9449 §5.2'),
  })
}

/**
 * Refuses an access token through the browser for a client whose tokens are bound: the authorization endpoint sees neither
 * a proof nor the certificate of the client, so that token would be good for anybody.
 * @throws OAuthError `unauthorized_client`
 */
export function refuseUnboundToken(responseType: ResponseType, client: Client): void {
  if (!partsOf(responseType).token) return
  const { dpop_bound_access_tokens: toKey, tls_client_certificate_bound_access_tokens: toCertificate } =
    client
  if (toKey !== true && toCertificate !== true) return
  const bond = toKey === true ? 'a key' : 'its certificate'
  throw new OAuthError('unauthorized_client', {
    description: `tokens of this client are bound to ${bond}, and a token through the browser cannot be; use response_type code`,
    rule: toKey === true ? 'RFC 9449 §5.2' : 'RFC 8705 §3.4',
  })
}
