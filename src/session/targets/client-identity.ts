import { DEFAULT_REDIRECT_URI } from '../../client/callback-listener.js'
import { defined } from '../../defined.js'
import { UsageError } from '../../errors.js'
import type { ClientIdentity } from '../../judge/tamper/move.js'
import type { Grant } from '../../judge/tamper/shape.js'
import {
  type Client,
  isConfidential,
  redirectUriRules,
  usesCertificates,
} from '../../protocol/oauth/client.js'
import { parseLoopback } from '../../protocol/oauth/redirect-uri.js'
import type { ClientSecretPlace } from '../../protocol/oauth/token.js'
import { hasIpv4Loopback } from './ipv4-loopback.js'

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
export function identityOf(client: Client): ClientIdentity {
  const { client_id: clientId, client_secret: clientSecret } = client
  return defined({ clientId, auth: secretPlace(client), clientSecret })
}

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
