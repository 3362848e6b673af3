import { readParameters } from '../../../protocol/http/form.js'
import {
  cookie,
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
  splitUrl,
} from '../../../protocol/http/message.js'
import { sourceOf } from '../../../protocol/http/network.js'
import type { Route } from '../../../protocol/http/site.js'
import { CREDENTIAL_PARAMETERS } from '../../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import { createRateLimit } from '../../../protocol/rate-limit.js'
import { defined } from '../../../protocol/values.js'
import type { Publish } from '../events.js'
import { DEVICE_GRANT } from '../grants/polled-grant.js'
import { byPassword } from '../logins/authentication.js'
import { judgeLogin, LOGIN_FIELDS } from '../logins/login.js'
import { deviceDecidedPage, userCodePage } from '../pages/device-pages.js'
import { type ShownAgain, shownErrors } from '../pages/page.js'
import { readDetails } from '../parameters/authorization-details.js'
import { ignoredNames, readForm, readFormBody, refuseRepeated } from '../parameters/form-body.js'
import { namedResources, resourceSettings } from '../parameters/resources.js'
import { scopeBeside, withResourceScopes } from '../parameters/scopes.js'
import { type DeviceRequest, readUserCode } from '../stores/device-codes.js'
import {
  type Call,
  clientEndpoint,
  NOT_STORED,
  ownerAt,
  readClientForm,
  readOnce,
} from './client-endpoint.js'
import type { ServerParts } from './parts.js'

/** `/device_authorization`: issues a device code and a user code (RFC 8628 §3.1). */
export function deviceAuthorizationEndpoint(parts: ServerParts): Route {
  const { settings, defences, authenticateClient, findKnownResources, deviceCodes } = parts
  const verificationUri = `${settings.issuer}/device`

  async function answer(http: HttpRequest, call: Call): Promise<HttpResponse> {
    const pairs = readClientForm(http)
    const names = ['scope', 'authorization_details', ...CREDENTIAL_PARAMETERS] as const
    const sent = readOnce(pairs, names)
    const client = await authenticateClient(http, sent, call.publish)
    call.clientId = client.client_id
    call.ignored = ignoredNames(pairs, [...names, 'resource'])
    if (!client.grant_types.includes(DEVICE_GRANT)) {
      const description = `this client is not registered for ${DEVICE_GRANT}`
      throw new OAuthError('unauthorized_client', { description, rule: 'RFC 8628 §3.1' })
    }
    const details = readDetails(sent.authorization_details, client, settings.detailTypes)
    const named = namedResources(pairs)
    const known = await findKnownResources(named, call.publish)
    const asking = withResourceScopes(client, named, settings, known)
    const scope = scopeBeside(details, sent.scope, asking, settings)
    const { deviceCode, request } = deviceCodes.issue(
      { client, scope, details, resources: defences.readResources(pairs, resourceSettings(settings, known)) },
      ownerAt(client, http),
    )
    const expiresIn = Math.floor(deviceCodes.lifetime / 1000)
    call.publish(
      defined({
        type: 'device_code.issued',
        client_id: client.client_id,
        scope: formatScope(scope),
        authorization_details: details,
        expires_in: expiresIn,
        ignored: call.ignored,
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

/**
 * Limit of wrong codes for one source, and for a person who is logged in. A user code has 34.5 bits. At ten guesses a minute, with a thousand waiting
 * devices, one code would be guessed in about five years (RFC 8628 §5.1).
 */
const GUESSES = { attempts: 10, window: 60_000 } as const

const UNKNOWN = 'This code is unknown, used or expired. Check the code on your device.'

/** The result of a look-up: the request of a typed code, or the reason to show the page again. */
type LookUp = { readonly request: DeviceRequest } | { readonly again: ShownAgain }

/** `/device`: a person enters the code of a device, logs in and decides (RFC 8628 §3.3). */
export function deviceVerification(parts: ServerParts): Route {
  const { settings, defences, deviceCodes, csrf, sessions, now } = parts
  const guesses = createRateLimit(GUESSES, { now })

  function lookUp(typed: string, http: HttpRequest, publish: Publish): LookUp {
    // Nobody on the same network locks out a person who is logged in.
    const person = sessions.find(http)?.username
    const source = JSON.stringify(
      person === undefined ? ['source', sourceOf(http.remoteAddress)] : ['user', person],
    )
    const { attempts, resetSeconds: retryAfterSeconds } = guesses.left(source)
    if (attempts === 0) {
      publish({ type: 'user_code.refused', reason: 'limited', rule: 'RFC 8628 §5.1' })
      const message = `Too many wrong codes. Try again in ${retryAfterSeconds} s.`
      return { again: { message, status: 429, retryAfterSeconds } }
    }
    const code = readUserCode(typed)
    const request = code === undefined ? undefined : deviceCodes.undecided(code)
    if (request === undefined) {
      guesses.count(source)
      publish({ type: 'user_code.refused', reason: 'unknown', rule: 'RFC 8628 §3.3' })
      return { again: { message: UNKNOWN, status: 200 } }
    }
    return { request }
  }

  /** Returns the parameters that the csrf value of a page is bound to. */
  const pairsOf = ({ userCode }: DeviceRequest) => [['user_code', userCode]] as const

  function ask(
    http: HttpRequest,
    request: DeviceRequest,
    publish: Publish,
    again: Partial<ShownAgain> = {},
  ): HttpResponse {
    const browser = csrf.browser(cookie(http, csrf.cookieName))
    const { client, scope } = request
    publish({ type: 'login.shown', client_id: client.client_id, scope: formatScope(scope) })
    const value = csrf.value(browser.secret, pairsOf(request))
    const { scopes, detailTypes } = settings
    return defences.devicePage({ request, scopes, detailTypes, csrf: value, ...again }, browser.headers)
  }

  function get(http: HttpRequest, publish: Publish): HttpResponse {
    const { values } = readParameters(readForm(splitUrl(http.url).query, 'the request'), ['user_code'])
    if (values.user_code === undefined) return userCodePage()
    const result = lookUp(values.user_code, http, publish)
    return 'again' in result ? userCodePage(result.again) : ask(http, result.request, publish)
  }

  async function post(http: HttpRequest, publish: Publish): Promise<HttpResponse> {
    const { values: fields, repeated } = readParameters(readFormBody(http), ['user_code', ...LOGIN_FIELDS])
    refuseRepeated(repeated, 'RFC 8628 §3.3')
    const result = lookUp(fields.user_code ?? '', http, publish)
    if ('again' in result) return userCodePage(result.again)
    const { request } = result
    const clientId = request.client.client_id
    const sender = { cookie: cookie(http, csrf.cookieName), address: http.remoteAddress }
    const verdict = await judgeLogin(parts, { pairs: pairsOf(request) }, fields, sender)
    if (verdict.kind === 'failed') {
      const { reason, message, rule, status, retryAfterSeconds } = verdict
      const username = fields.username ?? ''
      publish({ type: 'login.failed', client_id: clientId, username, reason, description: message, rule })
      return ask(http, request, publish, { message, status, retryAfterSeconds })
    }
    // Another page may have decided while the password was checked.
    if (request.decision) return userCodePage({ message: UNKNOWN, status: 200 })
    if (verdict.kind === 'cancelled') {
      request.decision = { kind: 'denied' }
      publish({ type: 'device_code.denied', client_id: clientId })
      return deviceDecidedPage(false)
    }
    const { username } = verdict
    request.decision = { kind: 'approved', username, ...byPassword(now()) }
    publish({ type: 'login.succeeded', client_id: clientId, username })
    publish({ type: 'device_code.approved', client_id: clientId, username })
    return deviceDecidedPage(true)
  }

  return { path: '/device', methods: { GET: shownErrors(get), POST: shownErrors(post) } }
}
