import { isConfidential } from '../../../protocol/oauth/client.js'
import type { ClientMetadata, MemberPath, Report } from './model.js'

/** Checks that the switches of a client fit the rest of it. */
export function checkClientSwitches(client: ClientMetadata, path: MemberPath, report: Report): void {
  const { dpop_bound_access_tokens: proofs, tls_client_certificate_bound_access_tokens: certificates } =
    client
  if (proofs && certificates) {
    report(
      [...path, 'dpop_bound_access_tokens'],
      'tokens of this client are bound to its certificate already, and a token has one binding',
    )
  }
  if (proofs && grantsFrontChannelTokens(client)) {
    report(
      [...path, 'dpop_bound_access_tokens'],
      'a token of the authorization endpoint cannot be bound to a key (RFC 9449 §5.2)',
    )
  }
  if (client.refresh_token_rotation === 'off' && !isConfidential(client) && !proofs && !certificates) {
    report(
      [...path, 'refresh_token_rotation'],
      'off is for clients with credentials, and for tokens that are bound to a key: nobody would notice the theft of this refresh token (RFC 9700 §4.14.2)',
    )
  }
}

/** True for a client that is registered for access tokens through the browser. */
function grantsFrontChannelTokens({ grant_types: grants = [], response_types: types = [] }: ClientMetadata) {
  return grants.includes('implicit') || types.some(each => each.split(' ').includes('token'))
}
