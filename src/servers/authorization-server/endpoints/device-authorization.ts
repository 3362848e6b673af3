import { type HttpRequest, type HttpResponse, jsonResponse } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { CREDENTIAL_PARAMETERS } from '../../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import { defined } from '../../../protocol/values.js'
import type { Defences } from '../defences.js'
import { DEVICE_GRANT } from '../grants/device-code.js'
import { readDetails } from '../parameters/authorization-details.js'
import { namedResources } from '../parameters/resources.js'
import { scopeBeside } from '../parameters/scopes.js'
import { withResourceScopes } from '../registration/added-scopes.js'
import type { AuthorizationServerSettings } from '../settings.js'
import type { DeviceCodes } from '../stores/device-codes.js'
import type { AuthenticateClient } from './client-authentication.js'
import { type Call, clientEndpoint, NOT_STORED, readClientForm, readOnce } from './client-endpoint.js'
import type { FindKnownResources } from './known-resources.js'

/** The parts that the endpoint uses. */
export interface DeviceAuthorizationParts {
  readonly settings: AuthorizationServerSettings
  readonly defences: Defences
  readonly authenticateClient: AuthenticateClient
  readonly findKnownResources: FindKnownResources
  readonly deviceCodes: DeviceCodes
}

/** `/device_authorization`: issues a device code and a user code (RFC 8628 §3.1). */
export function deviceAuthorizationEndpoint(parts: DeviceAuthorizationParts): Route {
  const { settings, defences, authenticateClient, findKnownResources, deviceCodes } = parts
  const verificationUri = `${settings.issuer}/device`

  async function answer(http: HttpRequest, call: Call): Promise<HttpResponse> {
    const pairs = readClientForm(http)
    const sent = readOnce(pairs, ['scope', 'authorization_details', ...CREDENTIAL_PARAMETERS])
    const client = await authenticateClient(http, sent, call.publish)
    call.clientId = client.client_id
    if (!client.grant_types.includes(DEVICE_GRANT)) {
      const description = `this client is not registered for ${DEVICE_GRANT}`
      throw new OAuthError('unauthorized_client', { description, rule: 'RFC 8628 §3.1' })
    }
    const details = readDetails(sent.authorization_details, client, settings.detailTypes)
    const named = namedResources(pairs)
    const known = { ...settings, ...(await findKnownResources(named, call.publish)) }
    const asking = withResourceScopes(client, named, known)
    const scope = scopeBeside(details, sent.scope, asking, settings)
    const { deviceCode, request } = deviceCodes.issue({
      client,
      scope,
      details,
      resources: defences.readResources(pairs, known),
    })
    const expiresIn = Math.floor(deviceCodes.lifetime / 1000)
    call.publish(
      defined({
        type: 'device_code.issued',
        client_id: client.client_id,
        scope: formatScope(scope),
        authorization_details: details,
        expires_in: expiresIn,
      }),
    )
    const body = {
      device_code: deviceCode,
      user_code: request.userCode,
      verification_uri: verificationUri,
      verification_uri_complete: `${verificationUri}?user_code=${request.userCode}`,
      expires_in: expiresIn,
      interval: request.interval / 1000,
    }
    return jsonResponse(200, body, NOT_STORED)
  }

  return clientEndpoint({
    path: '/device_authorization',
    name: 'the device authorization endpoint',
    rule: 'RFC 8628 §3.1',
    errors: [
      'invalid_request',
      'invalid_client',
      'unauthorized_client',
      'invalid_scope',
      'invalid_target',
      'invalid_authorization_details',
    ],
    answer,
    refused: 'device_authorization.refused',
  })
}
