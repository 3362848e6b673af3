import type { ClientIdentity } from '../flows/tamper/move.js'
import type { Grant } from '../flows/tamper/shape.js'
import { type Client, isConfidential } from '../oauth/client.js'
import { secretPlace } from './flow-words.js'

/** A client of the lab file as requests name it. */
export function identityOf(client: Client): ClientIdentity {
  const { client_id: clientId, client_secret: clientSecret } = client
  return { clientId, auth: secretPlace(client), ...(clientSecret !== undefined && { clientSecret }) }
}

/** Whether a client can redeem codes, and shows a secret or none. */
function redeemsCodes({ enabled, grant_types, token_endpoint_auth_method, jwks }: Client): boolean {
  return (
    enabled &&
    grant_types.includes('authorization_code') &&
    token_endpoint_auth_method !== 'private_key_jwt' &&
    jwks === undefined
  )
}

/** Clients of the lab file that wrong moves need beside the one that makes them. */
export interface Companions {
  /** For a code that is not its own. */
  readonly other?: ClientIdentity
  /** For what only public clients must do. */
  readonly publicClient?: ClientIdentity
}

const grantTypes: Readonly<Partial<Record<Grant, string>>> = {
  refresh: 'refresh_token',
  device: 'urn:ietf:params:oauth:grant-type:device_code',
}

/**
 * Finds the companions of a client.
 * @param grant the other client should be allowed it, so that it is not refused for that alone
 */
export function companionsOf(client: Client, clients: readonly Client[], grant?: Grant): Companions {
  const others = clients.filter(each => each.client_id !== client.client_id && redeemsCodes(each))
  const type = grant && grantTypes[grant]
  const other = others.find(each => type === undefined || each.grant_types.includes(type)) ?? others[0]
  const spa = others.find(
    each => !isConfidential(each) && each.require_pkce && each.response_types.includes('code'),
  )
  return {
    ...(other && { other: identityOf(other) }),
    ...(spa && { publicClient: identityOf(spa) }),
  }
}
