import { type HttpRequest, type HttpResponse, jsonResponse } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { CIBA_GRANT_TYPE } from '../../../protocol/oauth/answers.js'
import { isConfidential } from '../../../protocol/oauth/client.js'
import { CREDENTIAL_PARAMETERS } from '../../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import { defined } from '../../../protocol/values.js'
import type { Defences } from '../defences.js'
import type { AuthenticateClient } from '../endpoints/client-authentication.js'
import {
  type Call,
  clientEndpoint,
  NOT_STORED,
  readClientForm,
  readOnce,
} from '../endpoints/client-endpoint.js'
import type { FindKnownResources, KnownResources } from '../endpoints/known-resources.js'
import type { AuthenticatedClient } from '../model.js'
import { readAcrDemand } from '../parameters/acr-demand.js'
import { readDetails } from '../parameters/authorization-details.js'
import { namedResources } from '../parameters/resources.js'
import { grantedScope } from '../parameters/scopes.js'
import { refuseGrantOfClient } from '../profiles/refusals.js'
import { withResourceScopes } from '../registration/added-scopes.js'
import type { AuthorizationServerSettings } from '../settings.js'
import type { HintParts } from '../tokens/id-token-hint.js'
import { hintedUser } from './hinted-user.js'
import {
  ignoredNames,
  PARAMETERS,
  readBindingMessage,
  readExpiry,
  readNotificationToken,
} from './parameters.js'
import { APPROVAL_PATH, AUTHENTICATION_PATH } from './paths.js'
import type { BackchannelRequests } from './requests.js'
import type { OpenSignedRequest } from './signed-request.js'

/** The parts that the endpoint uses. */
export interface BackchannelAuthenticationParts {
  readonly settings: AuthorizationServerSettings
  readonly defences: Defences
  readonly hints: HintParts
  readonly authenticateClient: AuthenticateClient
  readonly findKnownResources: FindKnownResources
  readonly openSignedRequest: OpenSignedRequest
  readonly backchannelRequests: BackchannelRequests
}

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
export function backchannelAuthenticationEndpoint(parts: BackchannelAuthenticationParts): Route {
  const { settings, defences, authenticateClient, findKnownResources, backchannelRequests } = parts

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
    const scope = grantedScope(sent, withResourceScopes(client, named, { ...settings, ...known }), settings)
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
    const pairs = await parts.openSignedRequest(sent, request, client, publish)
    const values = readOnce(pairs, PARAMETERS)
    const username = await hintedUser(values, client, { ...parts.hints, users: settings.users })
    const named = namedResources(pairs)
    const known = await findKnownResources(named, publish)
    const scope = scopeOf(values.scope, client, named, known)
    const bindingMessage = readBindingMessage(values.binding_message)
    const notificationToken = readNotificationToken(values.client_notification_token, client)
    const lifetime = readExpiry(values.requested_expiry, backchannelRequests.lifetime)
    const details = readDetails(values.authorization_details, client, settings.detailTypes)
    const acr = readAcrDemand(values.acr_values, { idToken: new Map(), userinfo: new Map() }, client)
    const resources = defences.readResources(pairs, { ...settings, ...known })
    const issued = backchannelRequests.issue(
      { client, scope, resources, details, username, bindingMessage, acr, notificationToken },
      lifetime,
    )
    if (issued === undefined) {
      const description = 'too many requests wait for this person; try again later'
      throw new OAuthError('temporarily_unavailable', { description, rule: 'RFC 6749 §4.1.2.1' })
    }
    const expiresIn = Math.floor(lifetime / 1000)
    const ignored = ignoredNames(pairs, client)
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
        ignored: ignored.length === 0 ? undefined : ignored,
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
  })
}
