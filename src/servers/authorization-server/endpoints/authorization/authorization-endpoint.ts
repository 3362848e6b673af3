import { encodeForm, FormError, type FormPairs, readParameters } from '../../../../protocol/http/form.js'
import {
  cookie,
  type HttpRequest,
  type HttpResponse,
  header,
  splitUrl,
} from '../../../../protocol/http/message.js'
import type { Route } from '../../../../protocol/http/site.js'
import {
  AUTHORIZATION_ERRORS,
  type AuthorizationErrorCode,
  isRefusal,
  OAuthError,
} from '../../../../protocol/oauth/oauth-error.js'
import { formatScope } from '../../../../protocol/oauth/scope.js'
import { defined } from '../../../../protocol/values.js'
import { type Context, describeFailure, type Publish, refusal } from '../../events.js'
import { LOGIN_FIELDS, SECOND_FACTOR_FIELDS } from '../../logins/login.js'
import { errorPage } from '../../pages/page.js'
import {
  FormTooLarge,
  ignoredNames,
  readFormBody,
  readQuery,
  refuseRepeated,
  undecodable,
} from '../../parameters/form-body.js'
import { namedResources } from '../../parameters/resources.js'
import type { OpenedRequest } from '../../request-objects/open-request.js'
import type { ServerParts } from '../parts.js'
import { PARAMETERS } from './authorization-parameters.js'
import {
  type AcceptedRequest,
  judgeAuthorizationRequest,
  limitRequest,
  type RedirectedError,
  type ShownError,
} from './authorization-request.js'
import { createInteraction, type Reply, type Visit } from './interaction.js'
import {
  type RegistrationHelp,
  registrationFacts,
  registrationPage,
  unknownClientPage,
} from './registration-help.js'

/**
 * `/authorization` (RFC 6749 §3.1): shows the login form or the consent page, and answers its POST with a code or
 * tokens.
 */
export function authorizationEndpoint(parts: ServerParts): Route {
  const { settings, csrf, findKnownResources, checkSector, requests, sender, faults } = parts
  const { issuer } = settings
  const interaction = createInteraction(parts)

  function report(
    { error, channel, clientId, ignored }: Refused,
    publish: Publish,
    help?: RegistrationHelp,
  ): void {
    publish(
      defined({
        type: 'authorization.refused',
        client_id: clientId,
        channel,
        ignored,
        ...refusal(error),
        ...registrationFacts(help),
      }),
    )
  }

  async function refuse(refused: Refused, publish: Publish, status?: number): Promise<HttpResponse> {
    const { error, clientId } = refused
    if (refused.channel === 'page') {
      const { help, unknown } = refused
      report(refused, publish, help)
      if (unknown !== undefined) return unknownClientPage(error, unknown)
      return help === undefined ? errorPage(error, status) : registrationPage(error, help)
    }
    let response: HttpResponse
    try {
      response = await sender.refuse(refused.to, error, publish)
    } catch (unsendable) {
      if (!isRefusal(unsendable, AUTHORIZATION_ERRORS)) throw unsendable
      // The client wants responses encrypted, and has no key to encrypt to. A plain error would reveal what it hides.
      return refuse(defined({ channel: 'page', error: unsendable, clientId }), publish)
    }
    report(refused, publish)
    return response
  }

  /** Judges a request, and continues an accepted one with `accept`. */
  async function judge(
    http: HttpRequest,
    publish: Publish,
    { sent, unread }: SentRequest,
    action: string | undefined,
    accept: (visit: Visit) => Promise<Reply>,
  ): Promise<HttpResponse> {
    const browser = csrf.browser(cookie(http, csrf.cookieName))
    const visitor = { browser: browser.secret, address: http.remoteAddress }
    const opened: OpenedRequest =
      unread === undefined ? await requests.open(sent, visitor, publish) : { pairs: sent }
    const { pairs, requestUri, query, problem } = opened
    if (problem !== undefined && !pairs.some(([name]) => name === 'redirect_uri')) {
      // The address may be in the object that is refused; a sole registered one could have another port.
      const clientId = pairs.find(([name]) => name === 'client_id')?.[1]
      return refuse(defined({ channel: 'page', error: problem, clientId }), publish)
    }
    const known = await findKnownResources(namedResources(pairs), publish)
    const circumstances = { known, pushed: opened.isPushed === true, unread: unread ?? problem }
    const judgement = judgeAuthorizationRequest(pairs, parts, circumstances)
    const { response, answered } =
      judgement.channel === 'login'
        ? await accepted(judgement, publish, () =>
            accept({
              http,
              request: judgement,
              publish,
              browser,
              action: query === undefined ? action : `/authorization?${query}`,
            }),
          )
        : { response: await refuse({ ...judgement, ignored: unknownIn(pairs) }, publish), answered: true }
    if (answered && requestUri !== undefined) requests.spend(requestUri)
    return response
  }

  /** Runs `go` and redirects its errors: an accepted request reports every error to the client (RFC 6749 §4.1.2.1). */
  async function accepted(
    { client, to }: AcceptedRequest,
    publish: Publish,
    go: () => Promise<Reply>,
  ): Promise<Reply> {
    const redirected = async (error: OAuthError<AuthorizationErrorCode>): Promise<Reply> => ({
      response: await refuse({ channel: 'redirect', error, to, clientId: client.client_id }, publish),
      answered: true,
    })
    try {
      await checkSector(client, publish)
      return await go()
    } catch (error) {
      if (isRefusal(error, AUTHORIZATION_ERRORS)) return redirected(error)
      publish({ type: 'server.failed', path: '/authorization', description: describeFailure(error) })
      const description = 'the server failed to answer this request'
      return redirected(new OAuthError('server_error', { description, rule: 'RFC 6749 §4.1.2.1' }))
    }
  }

  async function begin(visit: Visit): Promise<Reply> {
    const { request, publish } = visit
    const { client, to, scope, challenge, responseType, claimNames, details, ignored } = request
    publish(
      defined({
        type: 'authorization.requested',
        client_id: client.client_id,
        response_type: responseType,
        redirect_uri: to.redirectUri,
        scope: formatScope(scope),
        pkce: challenge?.method ?? 'none',
        claims: claimNames.length === 0 ? undefined : claimNames,
        authorization_details: details,
        ignored,
      }),
    )
    const fault = faults.take('authorization', publish)
    if (fault) throw fault
    return interaction.begin(visit)
  }

  async function get(http: HttpRequest, publish: Publish): Promise<HttpResponse> {
    return judge(http, publish, readRequest(http), undefined, begin)
  }

  async function post(http: HttpRequest, publish: Publish): Promise<HttpResponse> {
    const { path, query } = splitUrl(http.url)
    const body = readFormBody(http)
    const names = [...LOGIN_FIELDS, ...SECOND_FACTOR_FIELDS, 'consent', 'client_id'] as const
    const { values: fields, repeated } = readParameters(body, names)
    if (fields.username === undefined && fields.csrf === undefined && fields.client_id !== undefined) {
      // An authorization request by POST (OpenID Connect Core §3.1.2.1). The login form carries it on in its query.
      limitRequest(http.body.length)
      const request = readRequest(http)
      const sent = [...request.sent, ...body]
      return judge(http, publish, { ...request, sent }, `${path}?${encodeForm(sent)}`, begin)
    }
    refuseRepeated(repeated, 'RFC 6749 §3.1')
    const action = query === '' ? `${path}?${refererQuery(http, issuer)}` : undefined
    const asked = action === undefined ? http : { ...http, url: action }
    return judge(http, publish, readRequest(asked), action, visit => {
      if (fields.second_factor !== undefined) return interaction.secondFactor(visit, fields)
      return fields.consent === undefined
        ? interaction.login(visit, fields)
        : interaction.consent(visit, fields)
    })
  }

  /** Makes a handler that shows its errors to the person: without a readable request there is no client to redirect to. */
  const shownErrors =
    (handler: (http: HttpRequest, publish: Publish) => Promise<HttpResponse>) =>
    async (http: HttpRequest, { publish }: Context) => {
      try {
        return await handler(http, publish)
      } catch (error) {
        if (!isRefusal(error, AUTHORIZATION_ERRORS)) throw error
        return refuse({ channel: 'page', error }, publish, error instanceof FormTooLarge ? 413 : 400)
      }
    }

  return { path: '/authorization', methods: { GET: shownErrors(get), POST: shownErrors(post) } }
}

type Refused = (ShownError | RedirectedError) & { readonly ignored?: readonly string[] | undefined }

const unknownIn = (pairs: FormPairs) => ignoredNames(pairs, [...PARAMETERS, 'resource'])

interface SentRequest {
  readonly sent: FormPairs
  /** The error for parameters that could not be decoded. */
  readonly unread?: OAuthError<'invalid_request'>
}

/** @throws OAuthError `invalid_request` for a request that is too long */
function readRequest(http: HttpRequest): SentRequest {
  limitRequest(splitUrl(http.url).query.length)
  const what = 'the authorization request'
  try {
    const { pairs, problem } = readQuery(http)
    return problem === undefined ? { sent: pairs } : { sent: pairs, unread: undecodable(problem, what) }
  } catch (error) {
    throw error instanceof FormError ? undecodable(error, what) : error
  }
}

/**
 * Returns the query of the page that a form came from, if that page is this endpoint (interface specification, POST
 * /authorization). Nothing in it is trusted: the csrf value is bound to the request that it was made for.
 */
function refererQuery(http: HttpRequest, issuer: string): string {
  const { origin, path, query } = splitUrl(header(http, 'referer') ?? '')
  const own = splitUrl(http.url)
  const sameOrigin = origin === own.origin || origin === splitUrl(issuer).origin
  return sameOrigin && path === own.path ? query : ''
}
