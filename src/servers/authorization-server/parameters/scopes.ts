import { bounded } from '../../../protocol/events.js'
import type { AuthorizationDetails } from '../../../protocol/oauth/authorization-details.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { formatScope, parseScope } from '../../../protocol/oauth/scope.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import type { AuthorizationServerSettings } from '../settings.js'

/**
 * Returns the scope that a client gets: the requested scope, or the default, without the values that this client is not
 * allowed (RFC 6749 §3.3).
 * @throws OAuthError `invalid_scope` for a malformed or unknown value, and when no value remains
 */
export function grantedScope(
  requested: string | undefined,
  client: Client,
  settings: Pick<AuthorizationServerSettings, 'scopes' | 'defaultScope'>,
): readonly string[] {
  const rule = 'RFC 6749 §3.3'
  const asked = parseScope(requested ?? settings.defaultScope)
  if (asked === undefined) {
    throw new OAuthError('invalid_scope', {
      description: 'scope is malformed',
      rule,
      evidence: requested ?? '',
    })
  }
  const unknown = asked.find(token => !Object.hasOwn(settings.scopes, token))
  if (unknown !== undefined) {
    throw new OAuthError('invalid_scope', { description: `scope ${bounded(unknown, 60)} is unknown`, rule })
  }
  const { allowed_scopes: allowed } = client
  const granted = allowed === undefined ? asked : asked.filter(token => allowed.includes(token))
  if (granted.length === 0) {
    throw new OAuthError('invalid_scope', {
      description:
        requested === undefined
          ? 'scope is missing, and the default is not allowed to this client'
          : 'this client is not allowed any of the scopes it asks for',
      rule,
    })
  }
  return granted
}

/**
 * Returns the scope of a request that may have authorization details. Details without a scope ask for no scope: the
 * default would be more than the client asked for (RFC 9396 §3.1).
 * @throws OAuthError `invalid_scope`
 */
export function scopeBeside(
  details: AuthorizationDetails | undefined,
  ...[requested, client, settings]: Parameters<typeof grantedScope>
): readonly string[] {
  return requested === undefined && details?.length ? [] : grantedScope(requested, client, settings)
}

/**
 * Returns the scope of one access token: the requested part of the granted scope, or all of it (RFC 6749 §6).
 * @throws OAuthError `invalid_scope` for a malformed value, and for a value that was not granted
 */
export function narrowedScope(
  requested: string | undefined,
  granted: readonly string[],
  rule: Citation,
): readonly string[] {
  if (requested === undefined) return granted
  const asked = parseScope(requested)
  if (asked === undefined || asked.length === 0) {
    throw new OAuthError('invalid_scope', { description: 'scope is malformed', rule, evidence: requested })
  }
  const wider = asked.find(token => !granted.includes(token))
  if (wider === undefined) return asked
  throw new OAuthError('invalid_scope', {
    description: `scope ${bounded(wider, 60)} is more than was granted`,
    rule,
    evidence: `granted: ${formatScope(granted)}`,
  })
}

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
  { registration }: Pick<AuthorizationServerSettings, 'registration'>,
  { resourceScopes }: Pick<AuthorizationServerSettings, 'resourceScopes'>,
): Client {
  const { allowed_scopes: allowed, introduced } = client
  const isOpen = introduced === 'registration' && registration?.mode === 'open'
  if (!isOpen || allowed === undefined || resourceScopes === undefined) return client
  return { ...client, allowed_scopes: [...new Set([...allowed, ...named.flatMap(resourceScopes)])] }
}
