import type { Client } from '../../../protocol/oauth/client.js'
import type { AuthorizationServerSettings } from '../settings.js'

/**
 * Returns a client with the scopes of the resources that its request names, for requests that a person answers. The `scope` that a
 * client registered is its limit (RFC 7591 §2). MCP clients register the scope of the first challenge, and need more for a
 * step-up. Where anyone may register, the client would get any scope by another registration, so its own limit protects
 * nothing, and the person decides.
 * @param named the values of `resource` in the request
 */
export function withResourceScopes(
  client: Client,
  named: readonly string[],
  { registration, resourceScopes }: Pick<AuthorizationServerSettings, 'registration' | 'resourceScopes'>,
): Client {
  const { allowed_scopes: allowed, introduced } = client
  const isOpen = introduced === 'registration' && registration?.mode === 'open'
  if (!isOpen || allowed === undefined || resourceScopes === undefined) return client
  return { ...client, allowed_scopes: [...new Set([...allowed, ...named.flatMap(resourceScopes)])] }
}
