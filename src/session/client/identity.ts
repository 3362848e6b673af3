import { networkInterfaces } from 'node:os'
import { DEFAULT_REDIRECT_URI } from '../../client/callback-listener.js'
import type { FlowOptions } from '../../flows/options.js'
import { UsageError } from '../../protocol/errors.js'
import { type Client, redirectUriRules } from '../../protocol/oauth/client.js'
import { parseLoopback } from '../../protocol/oauth/redirect-uri.js'
import type { ClientSecretPlace } from '../../protocol/oauth/token.js'
import { defined } from '../../protocol/values.js'

/** The place where a client of the lab file sends its secret. @throws UsageError for a client that signs instead */
export function secretPlace(client: Client): ClientSecretPlace {
  const method = client.token_endpoint_auth_method
  if (
    method === 'client_secret_jwt' ||
    method === 'private_key_jwt' ||
    (method === undefined && client.jwks && !client.client_secret)
  ) {
    throw new UsageError(`client ${client.client_id} authenticates by ${method ?? 'private_key_jwt'}`, [
      'A flow sends a client secret, or none: choose another client',
    ])
  }
  // A certificate is no part of the request: its client sends its client_id alone (RFC 8705 §2).
  if (method === 'tls_client_auth' || method === 'self_signed_tls_client_auth') return 'none'
  return method ?? (client.client_secret === undefined ? 'none' : 'client_secret_basic')
}

/**
 * The redirect_uri for a client: a registered loopback address that matches any port, on a free port (RFC 8252 §7.3),
 * else the first registered one. Literals come before `localhost` (RFC 8252 §8.3).
 */
export function redirectUriFor(client: Client, ipv4 = hasIpv4Loopback()): string {
  return preferredOf(client.redirect_uris, client, ipv4) ?? DEFAULT_REDIRECT_URI
}

/** The post_logout_redirect_uri for a client, chosen as its redirect_uri; undefined where none is registered. */
export function postLogoutUriFor(client: Client, ipv4 = hasIpv4Loopback()): string | undefined {
  return preferredOf(client.post_logout_redirect_uris ?? [], client, ipv4)
}

function preferredOf(registered: readonly string[], client: Client, ipv4: boolean): string | undefined {
  const rules = redirectUriRules(client)
  const loopback = registered.flatMap(uri => parseLoopback(uri, rules) ?? [])
  const preferred = ipv4 ? '127.0.0.1' : '[::1]'
  const literal = loopback.find(({ base }) => base.includes(preferred)) ?? loopback[0]
  return literal ? `${literal.base}:0${literal.rest}` : registered[0]
}

/** The identity of a client of the lab file in its requests. */
export function identityOf(client: Client): Pick<FlowOptions, 'clientId' | 'auth' | 'clientSecret'> {
  const { client_id: clientId, client_secret: clientSecret } = client
  return defined({ clientId, auth: secretPlace(client), clientSecret })
}

/** True when a server can listen on 127.0.0.1. False on a computer that has only `::1`. */
function hasIpv4Loopback(): boolean {
  try {
    const addresses = Object.values(networkInterfaces()).flatMap(each => each?.map(({ address }) => address))
    return addresses.includes('127.0.0.1') || !addresses.includes('::1')
  } catch {
    return true // Some systems do not list their interfaces.
  }
}
