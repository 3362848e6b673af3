import { cut } from '../../../protocol/events.js'
import { encodeForm, type FormPairs } from '../../../protocol/http/form.js'
import { type HttpRequest, type HttpResponse, jsonResponse } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { CREDENTIAL_PARAMETERS } from '../../../protocol/oauth/client-auth.js'
import { AUTHORIZATION_ERRORS, DPOP_ERRORS, OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { defined } from '../../../protocol/values.js'
import { ignoredNames } from '../parameters/form-body.js'
import { namedResources } from '../parameters/resources.js'
import { PUSHED_LIFETIME } from '../stores/pushed-requests.js'
import { PARAMETERS } from './authorization/authorization-parameters.js'
import { judgeAuthorizationRequest, limitRequest } from './authorization/authorization-request.js'
import {
  type Call,
  clientEndpoint,
  NOT_STORED,
  ownerAt,
  readClientForm,
  readOnce,
} from './client-endpoint.js'
import type { ServerParts } from './parts.js'

/** `/par`: takes pushed authorization requests (RFC 9126 §2), with the checks of the authorization endpoint. */
export function parEndpoint(parts: ServerParts): Route {
  const { authenticateClient, findKnownResources, dpop, pushed, requests } = parts
  const expiresIn = PUSHED_LIFETIME / 1000

  async function answer(http: HttpRequest, call: Call): Promise<HttpResponse> {
    const sent = readClientForm(http)
    const { request_uri: requestUri, ...credentials } = readOnce(sent, [
      'request_uri',
      ...CREDENTIAL_PARAMETERS,
    ])
    const client = await authenticateClient(http, credentials, call.publish)
    const { client_id: clientId } = client
    call.clientId = clientId
    if (requestUri !== undefined) {
      const description = 'request_uri may not be pushed'
      throw new OAuthError('invalid_request', { description, rule: 'RFC 9126 §2.1' })
    }
    const request: FormPairs = [
      ['client_id', clientId],
      ...sent.filter(([name]) => !CREDENTIAL_PARAMETERS.some(each => each === name)),
    ]
    limitRequest(encodeForm(request).length)
    const pairs = await bound(http, client, await requests.push(request, call.publish))
    call.ignored = ignoredNames(pairs, [...PARAMETERS, 'resource'])
    const known = await findKnownResources(namedResources(pairs), call.publish)
    const judgement = judgeAuthorizationRequest(pairs, parts, { known, pushed: true })
    if (judgement.channel !== 'login') {
      if (judgement.channel === 'page' && judgement.help) call.help = judgement.help
      throw judgement.error
    }
    const body = { request_uri: pushed.push(clientId, pairs, ownerAt(client, http)), expires_in: expiresIn }
    call.publish(
      defined({
        type: 'request.pushed',
        client_id: clientId,
        request_uri: cutReference(body.request_uri),
        expires_in: expiresIn,
        ignored: judgement.ignored,
      }),
    )
    return jsonResponse(201, body, NOT_STORED)
  }

  /** Returns the request with the `dpop_jkt` of its proof, which binds the code to the key (RFC 9449 §10.1). */
  async function bound(http: HttpRequest, client: Client, pairs: FormPairs): Promise<FormPairs> {
    const jkt = await dpop.verify(http, { client, owner: ownerAt(client, http) })
    if (jkt === undefined) return pairs
    const other = pairs.some(([name, value]) => name === 'dpop_jkt' && value !== '' && value !== jkt)
    if (!other) return [...pairs.filter(([name]) => name !== 'dpop_jkt'), ['dpop_jkt', jkt]]
    const description = 'dpop_jkt is not the thumbprint of the key of the proof'
    throw new OAuthError('invalid_dpop_proof', { description, rule: 'RFC 9449 §10.1' })
  }

  return clientEndpoint({
    path: '/par',
    name: 'the pushed authorization request endpoint',
    rule: 'RFC 9126 §2',
    errors: [...AUTHORIZATION_ERRORS, 'invalid_client', ...DPOP_ERRORS],
    answer,
    headers: dpop.headers,
    refused: 'push.refused',
  })
}

/** A reference to a request whose last part, which cannot be guessed, is cut in the middle. */
function cutReference(requestUri: string): string {
  const start = requestUri.lastIndexOf(':') + 1
  return requestUri.slice(0, start) + cut(requestUri.slice(start))
}
