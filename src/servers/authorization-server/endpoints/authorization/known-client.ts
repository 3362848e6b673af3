import { unknownName } from '../../../../protocol/events.js'
import type { Client } from '../../../../protocol/oauth/client.js'
import { OAuthError } from '../../../../protocol/oauth/oauth-error.js'
import type { Registry } from '../../stores/registry.js'

/**
 * Returns the client of an authorization request. Its errors are shown, because no address is verified (RFC 6749 §4.1.2.1).
 * @throws OAuthError `invalid_request`, `unauthorized_client`
 */
export function knownClient(id: string | undefined, registry: Registry): Client {
  const rule = 'RFC 6749 §4.1.2.1'
  if (id === undefined) throw new OAuthError('invalid_request', { description: 'client_id is missing', rule })
  const refused = registry.problem(id)
  if (refused !== undefined) {
    const { problem: description, rule: broken } = refused
    throw new OAuthError('unauthorized_client', { description, rule: broken, evidence: unknownName(id) })
  }
  const client = registry.client(id)
  if (client === undefined) {
    throw new OAuthError('unauthorized_client', {
      description: 'client_id is unknown: no such client is registered here',
      rule,
      evidence: unknownName(id),
    })
  }
  if (!client.enabled) {
    throw new OAuthError('unauthorized_client', {
      description: 'client_id is refused: this client is disabled',
      rule,
      evidence: client.client_id,
    })
  }
  return client
}
