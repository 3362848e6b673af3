import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { header, splitUrl } from '../../protocol/http/message.js'
import { jsonObject, refusalIn } from '../../protocol/oauth/answers.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { JsonObject } from '../../protocol/values.js'
import { isProtectedAddress } from '../metadata/resource-metadata.js'
import { resourceRefusal } from '../steps/resource-step.js'

/** The address and the token by which a client manages its registration (RFC 7592 §3). */
export interface ManagedAt {
  readonly url: string
  readonly token: string
}

/** A client as its server registered it. */
export interface RegistrationAnswer {
  readonly clientId: string
  readonly members: JsonObject
  readonly checks: readonly Check[]
  /** Absent: the server lets nobody manage the client, or at another origin. */
  readonly management?: ManagedAt
}

const RULE = 'RFC 7591 §3.2.1'

/** The members of an answer that an update may not send back (RFC 7592 §2.2). */
const OF_SERVER = new Set([
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
])

/** The metadata of a client as an update sends it (RFC 7592 §2.2). */
export function metadataIn(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !OF_SERVER.has(name)))
}

/** @throws OAuthError (RFC 7591 §3.2.2, RFC 7592 §2.1) */
function refuse(exchange: Exchange): never {
  const status = exchange.response?.status ?? 0
  const isAboutToken = status === 401 || status === 403
  const challenged = exchange.response && header(exchange.response, 'www-authenticate') !== undefined
  throw isAboutToken && challenged
    ? resourceRefusal(exchange, status)
    : refusalIn(exchange, 'the registration endpoint')
}

/** The token of a registration goes to no other server than its own. */
function managementIn(
  { registration_client_uri: url, registration_access_token: token }: JsonObject,
  asked: string,
  before: ManagedAt | undefined,
): { readonly management?: ManagedAt; readonly checks: readonly Check[] } {
  const rule = 'RFC 7592 §3'
  const place = typeof url === 'string' ? url : before?.url
  const proof = typeof token === 'string' ? token : before?.token
  if (place === undefined && proof === undefined) {
    return { checks: [advice('management', false, rule, 'the server lets nobody manage the client')] }
  }
  if (place === undefined || proof === undefined) {
    const missing = place === undefined ? 'registration_client_uri' : 'registration_access_token'
    return { checks: [advice('management', false, rule, `${missing} is missing`)] }
  }
  const own = isUrl(place) && isProtectedAddress(place) && splitUrl(place).origin === splitUrl(asked).origin
  if (own)
    return { management: { url: place, token: proof }, checks: [check('management', true, rule, place)] }
  const detail = `${place} is at another origin, and the token was not kept for it`
  return { checks: [advice('management', false, 'RFC 7592 §5', detail)] }
}

/**
 * Reads the answer to a registration, its reading or its update.
 * @param before the address and the token so far, for an answer that repeats neither
 * @throws OAuthError for a refusal, and for an answer without a client; UnreadableAnswer
 */
export function readRegistration(
  exchange: Exchange,
  sent: JsonObject,
  { before, expected }: { readonly before?: ManagedAt | undefined; readonly expected: 200 | 201 },
): RegistrationAnswer {
  const status = exchange.response?.status
  if (status !== 200 && status !== 201) refuse(exchange)
  const members = jsonObject(exchange, 'the registration endpoint', RULE)
  const {
    client_id: clientId,
    client_secret: secret,
    client_secret_expires_at: end,
    redirect_uris: uris,
  } = members
  if (typeof clientId !== 'string' || clientId === '') {
    throw new OAuthError('invalid_response', { description: 'the registration has no client_id', rule: RULE })
  }
  const rule = expected === 201 ? RULE : 'RFC 7592 §3'
  const checks = [
    check('client_id', true, RULE, clientId),
    advice('status', status === expected, rule, `${status}${status === expected ? '' : `, not ${expected}`}`),
  ]
  if (secret !== undefined) {
    const found = typeof end === 'number' ? (end === 0 ? 'it never ends' : `it ends at ${end}`) : 'missing'
    checks.push(advice('client_secret_expires_at', typeof end === 'number', RULE, found))
  }
  const asked = Array.isArray(sent.redirect_uris) ? sent.redirect_uris : []
  const lost = asked.filter(uri => !(Array.isArray(uris) && uris.includes(uri)))
  if (asked.length > 0) {
    const detail =
      lost.length === 0 ? 'as they were asked for' : `not registered: ${lost.slice(0, 5).join(' ')}`
    checks.push(advice('redirect_uris', lost.length === 0, RULE, detail))
  }
  const { management, checks: more } = managementIn(members, exchange.request.url, before)
  return { clientId, members, checks: [...checks, ...more], ...(management && { management }) }
}

/** Reads the answer to a deletion (RFC 7592 §2.3). @throws OAuthError, UnreadableAnswer */
export function readDeletion(exchange: Exchange): readonly Check[] {
  if (exchange.response?.status === 204) return [check('status', true, 'RFC 7592 §2.3', '204')]
  if (exchange.response?.status === 200) return [advice('status', false, 'RFC 7592 §2.3', '200, not 204')]
  return refuse(exchange)
}
