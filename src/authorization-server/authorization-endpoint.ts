import { encodeForm, type FormPairs, readParameters } from '../http/form.js'
import { cookie, type HttpRequest, type HttpResponse, header, splitUrl } from '../http/message.js'
import type { Route } from '../http/routes.js'
import { OAuthError } from '../oauth/oauth-error.js'
import { formatScope } from '../oauth/scope.js'
import {
  type AcceptedRequest,
  judgeAuthorizationRequest,
  type RedirectedError,
  type ShownError,
} from './authorization-request.js'
import { redirectBack, redirectError } from './authorization-response.js'
import type { Codes } from './codes.js'
import { errorPage } from './error-page.js'
import { bounded, cut, type Publish, refusal } from './events.js'
import { FormTooLarge, readForm, readFormBody, refuseRepeated } from './form-body.js'
import { judgeLogin, LOGIN_FIELDS, type LoginFields, type LoginParts } from './login.js'
import { loginPage } from './login-page.js'
import type { AuthorizationServerSettings } from './settings.js'

/** What the authorization endpoint works with. */
export interface AuthorizationEndpointParts extends LoginParts {
  readonly settings: AuthorizationServerSettings
  readonly codes: Codes
  readonly now: () => number
  readonly publish: Publish
}

/** Longest authorization request, in characters: its state comes back in a header. */
const MAX_REQUEST = 12 * 1024

/** A request that stood its checks, and where its form goes; undefined: to the page's own URL. */
interface Shown {
  readonly request: AcceptedRequest
  readonly action: string | undefined
}

/** `/authorization` (RFC 6749 §3.1): shows the login form, and answers it with a code. */
export function authorizationEndpoint(parts: AuthorizationEndpointParts): Route {
  const { settings, registry, codes, csrf, publish } = parts
  const { issuer } = settings

  function refuse(refused: ShownError | RedirectedError, status?: number): HttpResponse {
    const { error, channel, clientId } = refused
    publish({
      type: 'authorization.refused',
      ...(clientId === undefined ? {} : { client_id: clientId }),
      channel,
      ...refusal(error),
    })
    return channel === 'redirect' ? redirectError(refused.to, issuer, error) : errorPage(error, status)
  }

  /** Judges the request in `pairs`; answers it, or lets `accept` do so. */
  async function judge(
    pairs: FormPairs,
    accept: (request: AcceptedRequest) => HttpResponse | Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const judgement = judgeAuthorizationRequest(pairs, registry, settings)
    return judgement.channel === 'login' ? accept(judgement) : refuse(judgement)
  }

  function showForm(
    http: HttpRequest,
    { request, action }: Shown,
    again: { message?: string; username?: string; status?: number } = {},
  ): HttpResponse {
    const { secret, setCookie } = csrf.browser(cookie(http, csrf.cookieName))
    const { client, scope, values } = request
    publish({ type: 'login.shown', client_id: client.client_id, scope: formatScope(scope) })
    return loginPage(
      { request, action, scopes: settings.scopes, csrf: csrf.value(secret, values), ...again },
      setCookie === undefined ? [] : [['set-cookie', setCookie]],
    )
  }

  function begin(http: HttpRequest, shown: Shown): HttpResponse {
    const { client, to, scope, challenge } = shown.request
    publish({
      type: 'authorization.requested',
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: to.redirectUri,
      scope: formatScope(scope),
      pkce: challenge?.method ?? 'none',
    })
    return showForm(http, shown)
  }

  async function login(http: HttpRequest, shown: Shown, fields: LoginFields): Promise<HttpResponse> {
    const { request } = shown
    const clientId = request.client.client_id
    const verdict = await judgeLogin(parts, request, fields, cookie(http, csrf.cookieName))
    if (verdict.kind === 'succeeded') {
      publish({ type: 'login.succeeded', client_id: clientId, username: verdict.username })
      return answer(request, verdict.username)
    }
    if (verdict.kind === 'cancelled') {
      const rule = 'RFC 6749 §4.1.2.1'
      const error = new OAuthError('access_denied', { description: 'the resource owner refused', rule })
      return refuse({ channel: 'redirect', error, to: request.to, clientId })
    }
    const { reason, message, rule, status } = verdict
    const { username = '' } = fields
    publish({
      type: 'login.failed',
      client_id: clientId,
      username: bounded(username),
      reason,
      description: message,
      rule,
    })
    return showForm(http, shown, { message, username, status })
  }

  function answer(request: AcceptedRequest, username: string): HttpResponse {
    const { client, to, scope, nonce, challenge } = request
    const code = codes.issue({
      username,
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: to.redirectUri,
      redirectUriSent: request.redirectUriSent,
      scope,
      ...(nonce === undefined ? {} : { nonce }),
      ...(challenge === undefined ? {} : { challenge }),
      resources: [],
      at: parts.now(),
      loginAt: parts.now(),
    })
    const granted = formatScope(scope)
    publish({
      type: 'code.issued',
      client_id: client.client_id,
      username,
      code: cut(code),
      scope: granted,
    })
    return redirectBack(to, issuer, [
      ['code', code],
      ['scope', request.scopeSent ? granted : undefined],
    ])
  }

  async function get(http: HttpRequest): Promise<HttpResponse> {
    const pairs = readRequest(splitUrl(http.url).query)
    return judge(pairs, request => begin(http, { request, action: undefined }))
  }

  async function post(http: HttpRequest): Promise<HttpResponse> {
    const { path, query } = splitUrl(http.url)
    const body = readFormBody(http)
    const { values: fields, repeated } = readParameters(body, [...LOGIN_FIELDS, 'client_id'])
    if (fields.username === undefined && fields.csrf === undefined && fields.client_id !== undefined) {
      // The request itself is a POST (OpenID Connect Core §3.1.2.1). Its form carries it on in the query.
      limitRequest(http.body.length)
      return judge([...readRequest(query), ...body], request => {
        const action = `${path}?${encodeForm(Object.entries(request.values))}`
        return begin(http, { request, action })
      })
    }
    refuseRepeated(repeated, 'RFC 6749 §3.1')
    const from = query === '' ? refererQuery(http, issuer) : query
    const action = query === '' ? `${path}?${from}` : undefined
    return judge(readRequest(from), request => login(http, { request, action }, fields))
  }

  /** What cannot be read is shown: nothing is known of the client. */
  const shownErrors =
    (handler: (http: HttpRequest) => Promise<HttpResponse>) => async (http: HttpRequest) => {
      try {
        return await handler(http)
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        return refuse({ channel: 'page', error }, error instanceof FormTooLarge ? 413 : 400)
      }
    }

  return { path: '/authorization', methods: { GET: shownErrors(get), POST: shownErrors(post) } }
}

function limitRequest(length: number): void {
  if (length <= MAX_REQUEST) return
  throw new OAuthError('invalid_request', {
    description: `the authorization request is longer than ${MAX_REQUEST} characters`,
    rule: 'RFC 6749 §4.1.2.1',
  })
}

function readRequest(query: string): FormPairs {
  limitRequest(query.length)
  return readForm(query, 'the authorization request')
}

/**
 * The query of the page a form came from, where that page is ours (interface specification, POST
 * /authorization). Nothing is trusted in it: the csrf value belongs to the request it was made for.
 */
function refererQuery(http: HttpRequest, issuer: string): string {
  const referer = header(http, 'referer')
  if (referer === undefined || !/^https?:\/\//i.test(referer)) return ''
  const { origin, path, query } = splitUrl(referer)
  const own = splitUrl(http.url)
  const sameOrigin = origin === own.origin || origin === splitUrl(issuer).origin
  return sameOrigin && path === own.path ? query : ''
}
