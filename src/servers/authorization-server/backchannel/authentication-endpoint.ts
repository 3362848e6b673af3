import { unknownName } from '../../../protocol/events.js'
import { type HttpRequest, type HttpResponse, jsonResponse } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { CIBA_GRANT_TYPE } from '../../../protocol/oauth/answers.js'
import { type Client, isConfidential } from '../../../protocol/oauth/client.js'
import { CREDENTIAL_PARAMETERS } from '../../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import { defined } from '../../../protocol/values.js'
import {
  type Call,
  clientEndpoint,
  NOT_STORED,
  readClientForm,
  readOnce,
} from '../endpoints/client-endpoint.js'
import type { ServerParts } from '../endpoints/parts.js'
import type { AuthenticatedClient } from '../model.js'
import { readDetails } from '../parameters/authorization-details.js'
import { ignoredNames } from '../parameters/form-body.js'
import { readAcrDemand } from '../parameters/login-demands.js'
import { type KnownResources, namedResources, resourceSettings } from '../parameters/resources.js'
import { grantedScope, withResourceScopes } from '../parameters/scopes.js'
import { refuseGrantOfClient } from '../profiles/refusals.js'
import { readIdTokenHint } from '../tokens/access-tokens.js'
import { APPROVAL_PATH, AUTHENTICATION_PATH } from './paths.js'
import { createSignedRequests } from './signed-request.js'

const RULE = 'OpenID Connect CIBA Core §7.1'

/** @throws OAuthError for a client that may not ask (OpenID Connect CIBA Core §7.1, §13) */
function refuseClient(client: AuthenticatedClient): void {
  refuseGrantOfClient(client, CIBA_GRANT_TYPE)
  if (!client.grant_types.includes(CIBA_GRANT_TYPE)) {
    const description = `this client is not registered for ${CIBA_GRANT_TYPE}`
    throw new OAuthError('unauthorized_client', { description, rule: 'OpenID Connect CIBA Core §13' })
  }
  if (isConfidential(client)) return
  const description = 'this client has no credentials, and a client authenticates here'
  throw new OAuthError('unauthorized_client', { description, rule: RULE })
}

/** `/bc-authorize`: a client asks for a person, who decides on a device of their own (OpenID Connect CIBA Core §7). */
export function backchannelAuthenticationEndpoint(parts: ServerParts): Route {
  const { settings, defences, authenticateClient, findKnownResources, backchannelRequests } = parts
  const openSignedRequest = createSignedRequests(parts)

  /** Returns the scope of a request, with openid (OpenID Connect CIBA Core §7.1). */
  function scopeOf(
    sent: string | undefined,
    client: AuthenticatedClient,
    named: readonly string[],
    known: KnownResources,
  ) {
    if (sent === undefined) {
      throw new OAuthError('invalid_request', { description: 'scope is missing', rule: RULE })
    }
    const scope = grantedScope(sent, withResourceScopes(client, named, settings, known), settings)
    if (scope.includes('openid')) return scope
    const asked = sent.split(' ').includes('openid')
    const description = asked ? 'this client is not allowed the scope openid' : 'scope has no openid'
    throw new OAuthError('invalid_scope', { description, rule: RULE })
  }

  async function answer(http: HttpRequest, call: Call): Promise<HttpResponse> {
    const { publish } = call
    const sent = readClientForm(http)
    const { request, ...credentials } = readOnce(sent, ['request', ...CREDENTIAL_PARAMETERS])
    const client = await authenticateClient(http, credentials, publish)
    call.clientId = client.client_id
    refuseClient(client)
    const pairs = await openSignedRequest(sent, request, client, publish)
    const isPinged = client.backchannel_token_delivery_mode === 'ping'
    const known = [...PARAMETERS, ...CREDENTIAL_PARAMETERS, 'resource', 'request']
    const read = known.filter(name => isPinged || name !== 'client_notification_token')
    call.ignored = ignoredNames(pairs, read)
    const values = readOnce(pairs, PARAMETERS)
    const username = await hintedUser(values, client, parts)
    const named = namedResources(pairs)
    const resourcesKnown = await findKnownResources(named, publish)
    const scope = scopeOf(values.scope, client, named, resourcesKnown)
    const bindingMessage = readBindingMessage(values.binding_message)
    const notificationToken = readNotificationToken(values.client_notification_token, client)
    const lifetime = readExpiry(values.requested_expiry, backchannelRequests.lifetime)
    const details = readDetails(values.authorization_details, client, settings.detailTypes)
    const acr = readAcrDemand(values.acr_values, { idToken: new Map(), userinfo: new Map() }, client)
    const resources = defences.readResources(pairs, resourceSettings(settings, resourcesKnown))
    const issued = backchannelRequests.issue(
      { client, scope, resources, details, username, bindingMessage, acr, notificationToken },
      lifetime,
    )
    const expiresIn = Math.floor(lifetime / 1000)
    publish(
      defined({
        type: 'ciba.requested',
        client_id: client.client_id,
        username,
        scope: formatScope(scope),
        mode: client.backchannel_token_delivery_mode ?? 'poll',
        binding_message: bindingMessage,
        authorization_details: details,
        expires_in: expiresIn,
        page: `${settings.issuer}${APPROVAL_PATH}`,
        ignored: call.ignored,
      }),
    )
    const body = { auth_req_id: issued.authReqId, expires_in: expiresIn, interval: issued.interval / 1000 }
    return jsonResponse(200, body, NOT_STORED)
  }

  return clientEndpoint({
    path: AUTHENTICATION_PATH,
    name: 'the backchannel authentication endpoint',
    rule: RULE,
    errors: [
      'invalid_request',
      'invalid_client',
      'unauthorized_client',
      'invalid_scope',
      'unknown_user_id',
      'invalid_binding_message',
      'invalid_target',
      'invalid_authorization_details',
      'temporarily_unavailable',
    ],
    answer,
    refused: 'ciba.refused',
    always401: true,
  })
}

/** The parameters that name a person. A request has exactly one of them. */
const HINTS = ['login_hint', 'id_token_hint', 'login_hint_token'] as const

/** The parameters that the endpoint reads, beside `resource`, `request` and those of the client (OpenID Connect CIBA Core §7.1). */
const PARAMETERS = [
  'scope',
  'client_notification_token',
  'acr_values',
  ...HINTS,
  'binding_message',
  'requested_expiry',
  'authorization_details',
] as const

/** Longest binding message, in characters: two devices show it, and a person compares it. */
const MAX_MESSAGE = 128

/** Longest notification token, in characters, and its least entropy, in bits. */
const MAX_TOKEN = 1024
const LEAST_BITS = 128

/** @throws OAuthError `invalid_binding_message` for a text that is long, or that a page would show as another one */
function readBindingMessage(sent: string | undefined): string | undefined {
  if (sent === undefined) return undefined
  const refuse = (description: string) =>
    new OAuthError('invalid_binding_message', { description, rule: 'OpenID Connect CIBA Core §13' })
  if (sent.length > MAX_MESSAGE) throw refuse(`binding_message is longer than ${MAX_MESSAGE} characters`)
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(sent)) {
    throw refuse('binding_message has characters that people cannot see, such as line ends')
  }
  if (sent.trim() === '') throw refuse('binding_message has nothing that people can see')
  return sent
}

/**
 * Returns the lifetime of a request, in milliseconds.
 * @throws OAuthError `invalid_request`
 */
function readExpiry(sent: string | undefined, longest: number): number {
  if (sent === undefined) return longest
  if (/^[1-9]\d{0,8}$/.test(sent)) return Math.min(longest, Number(sent) * 1000)
  const description = 'requested_expiry is no positive whole number of seconds'
  throw new OAuthError('invalid_request', { description, rule: RULE })
}

/** Returns the most bits that a text of this length can hold, by the letters that it uses. */
function entropyOf(token: string): number {
  const letters = /^\d+$/.test(token) ? 10 : /^[0-9a-f]+$/i.test(token) ? 16 : 64
  return new Set(token).size < 8 ? 0 : token.length * Math.log2(letters)
}

/**
 * Returns the token for the notification endpoint of a client; undefined for a client that polls alone.
 * @throws OAuthError `invalid_request` for a missing token, and for one that is no bearer token or easy to guess
 */
function readNotificationToken(sent: string | undefined, client: Client): string | undefined {
  if (client.backchannel_token_delivery_mode !== 'ping') return undefined
  const refuse = (description: string) => new OAuthError('invalid_request', { description, rule: RULE })
  if (sent === undefined) throw refuse('client_notification_token is missing; this client is pinged')
  if (sent.length > MAX_TOKEN) {
    throw refuse(`client_notification_token is longer than ${MAX_TOKEN} characters`)
  }
  if (!/^[\w.~+/-]+=*$/.test(sent)) {
    throw refuse('client_notification_token has characters that no bearer token has (RFC 6750 §2.1)')
  }
  if (entropyOf(sent.split('=', 1)[0]!) < LEAST_BITS) {
    throw refuse(
      `client_notification_token can be guessed: it needs ${LEAST_BITS} random bits, such as 22 characters of base64url`,
    )
  }
  return sent
}

type Hints = { readonly [Name in (typeof HINTS)[number]]?: string }

/**
 * Returns the name of the person whom a request wants. A login_hint is a username, or the e-mail address of one user.
 * @throws OAuthError `unknown_user_id`, or `invalid_request` for no hint, several hints, and a hint that cannot be read
 */
async function hintedUser(hints: Hints, client: AuthenticatedClient, parts: ServerParts): Promise<string> {
  const sent = HINTS.filter(name => hints[name] !== undefined)
  if (sent.length !== 1) {
    const problem = sent.length === 0 ? 'no hint names the person' : `${sent.join(' and ')} are both sent`
    throw invalid(`${problem}; send exactly one of ${HINTS.join(', ')}`)
  }
  const { login_hint: loginHint, id_token_hint: idTokenHint } = hints
  if (loginHint !== undefined) return userOf(loginHint, parts)
  if (idTokenHint !== undefined) {
    const hinted = await readIdTokenHint(idTokenHint, parts)
    if (hinted?.audience.includes(client.client_id) !== true) {
      throw invalid('id_token_hint is no id_token that this server issued to this client')
    }
    return userOf(hinted.subject, parts)
  }
  throw invalid('login_hint_token is not supported; send login_hint or id_token_hint')
}

function userOf(hint: string, { registry, settings }: ServerParts): string {
  const named = registry.user(hint)
  if (named !== undefined) return named.username
  const [byMail, ...others] = settings.users.filter(({ claims }) => claims.email === hint)
  const found = byMail && others.length === 0 ? registry.user(byMail.username) : undefined
  if (found !== undefined) return found.username
  throw new OAuthError('unknown_user_id', {
    description: 'the hint names no user of this server',
    rule: 'OpenID Connect CIBA Core §13',
    evidence: unknownName(hint),
  })
}

const invalid = (description: string) => new OAuthError('invalid_request', { description, rule: RULE })
