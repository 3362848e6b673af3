import { type Client, isConfidential, usesCertificates } from '../../../protocol/oauth/client.js'
import { defined } from '../../../protocol/values.js'
import { identityOf } from '../../../session/client/identity.js'
import type { Grant } from '../shape.js'
import type { ClientIdentity } from '../situation.js'

/** True when a client can redeem codes, with a secret or without any. */
function redeemsCodes(client: Client): boolean {
  const { enabled, grant_types, token_endpoint_auth_method, jwks } = client
  return (
    enabled &&
    grant_types.includes('authorization_code') &&
    token_endpoint_auth_method !== 'private_key_jwt' &&
    token_endpoint_auth_method !== 'client_secret_jwt' &&
    jwks === undefined &&
    !usesCertificates(client)
  )
}

/** Clients of the lab file that wrong moves need besides the client that makes the move. */
export interface Companions {
  /** A client that redeems a code of another client. */
  readonly other?: ClientIdentity
  /** A public client, for the rules that bind only public clients. */
  readonly publicClient?: ClientIdentity
}

const grantTypes: Readonly<Partial<Record<Grant, string>>> = {
  refresh: 'refresh_token',
  device: 'urn:ietf:params:oauth:grant-type:device_code',
  ciba: 'urn:openid:params:grant-type:ciba',
}

/**
 * Finds the companions of a client.
 * @param grant a grant that the other client should be allowed, so that it is not refused for that alone
 */
export function companionsOf(client: Client, clients: readonly Client[], grant?: Grant): Companions {
  const others = clients.filter(each => each.client_id !== client.client_id && redeemsCodes(each))
  const type = grant && grantTypes[grant]
  const other = others.find(each => type === undefined || each.grant_types.includes(type)) ?? others[0]
  const open = others.filter(
    each => !isConfidential(each) && each.require_pkce && each.response_types.includes('code'),
  )
  // One with refresh tokens can try more.
  const spa = open.find(({ grant_types: types }) => types.includes('refresh_token')) ?? open[0]
  return defined({ other: other && identityOf(other), publicClient: spa && identityOf(spa) })
}
