import { bounded } from '../../../protocol/events.js'
import { type FormPairs, readParameters } from '../../../protocol/http/form.js'
import {
  cookie,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  splitUrl,
} from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import { documentKind } from '../client-documents/fetch-failure.js'
import type { ServerParts } from '../endpoints/parts.js'
import type { Publish } from '../events.js'
import {
  type Authentication,
  authenticationOf,
  byPassword,
  withOneTimeCode,
} from '../logins/authentication.js'
import { createConsents } from '../logins/consents.js'
import { judgeCode, judgeLogin, type LoginFields } from '../logins/login.js'
import type { Session } from '../logins/sessions.js'
import { createSessionStart } from '../logout/end-session.js'
import { cibaDecidedPage, cibaLoginPage, waitingPage } from '../pages/ciba-pages.js'
import { type ShownAgain, STALE_DECISION, shownErrors } from '../pages/page.js'
import { readForm, readFormBody, refuseRepeated } from '../parameters/form-body.js'
import { acrForAnswer, decideAcr } from '../parameters/login-demands.js'
import type { ClientCalls } from '../settings.js'
import type { BackchannelRequest } from '../stores/device-codes.js'
import { APPROVAL_PATH } from './paths.js'

const FIELDS = ['request', 'decision', 'otp', 'csrf', 'username', 'password'] as const
type Fields = { readonly [Name in (typeof FIELDS)[number]]?: string }

const RULE = 'OpenID Connect CIBA Core §8'

const GONE = {
  reason: 'gone',
  description: 'This request was decided before, or has expired.',
  rule: RULE,
} as const

/** The parameters that the csrf value of the login form is bound to. */
const LOGIN: FormPairs = [['login for', APPROVAL_PATH]]

/** Returns the parameters that the csrf value of a decision is bound to. */
const decisionOf = ({ handle, username }: BackchannelRequest): FormPairs => [
  ['decision of', username],
  ['request', handle],
]

/**
 * `/ciba`: a person sees the requests of clients that wait for them, and allows or denies each (OpenID Connect CIBA Core
 * §8). Nothing is allowed without a button: neither an earlier consent nor the session counts.
 */
export function approvalPage(parts: ServerParts): Route {
  const { scopes, detailTypes } = parts.settings
  const { registry, csrf, sessions, backchannelRequests, now } = parts
  const ping = createPing(parts.ports.clientCalls)
  const startSession = createSessionStart(parts)

  const browserOf = (http: HttpRequest) => csrf.browser(cookie(http, csrf.cookieName))

  /** True when the client wants a stronger login than that of the session, and the person can add a code. */
  function needsCode({ acr, username }: BackchannelRequest, session: Session): boolean {
    const canAddFactor = registry.user(username)?.totp_secret !== undefined
    return decideAcr(acr, { acr: session.acr, canAddFactor, mayAsk: true }).kind === 'ask'
  }

  function askLogin(http: HttpRequest, again: Partial<ShownAgain> = {}): HttpResponse {
    const { secret, headers } = browserOf(http)
    return cibaLoginPage({ ...again, csrf: csrf.value(secret, LOGIN) }, headers)
  }

  function show(
    { http, publish }: Visit,
    session: Session,
    { headers = [], ...again }: Partial<ShownAgain> & { readonly headers?: HeaderList } = {},
  ): HttpResponse {
    const { username } = session
    const browser = browserOf(http)
    const waiting = backchannelRequests.waitingFor(username).map(request => ({
      request,
      csrf: csrf.value(browser.secret, decisionOf(request)),
      needsCode: needsCode(request, session),
    }))
    publish({ type: 'ciba.shown', username, waiting: waiting.length })
    return waitingPage({ ...again, username, waiting, scopes, detailTypes }, [...browser.headers, ...headers])
  }

  async function login(visit: Visit, fields: LoginFields): Promise<HttpResponse> {
    const { http, publish } = visit
    const sender = { cookie: cookie(http, csrf.cookieName), address: http.remoteAddress }
    const verdict = await judgeLogin(parts, { pairs: LOGIN }, fields, sender)
    if (verdict.kind === 'cancelled') return askLogin(http)
    if (verdict.kind === 'failed') {
      const { reason, message, rule, status, retryAfterSeconds } = verdict
      const { username = '' } = fields
      publish({ type: 'login.failed', username, reason, description: message, rule })
      return askLogin(http, { message, status, retryAfterSeconds })
    }
    const { username } = verdict
    const browser = sessions.identify(http, username)
    const session: Session = { username, ...byPassword(now()), consents: createConsents(), browser }
    publish({ type: 'login.succeeded', username })
    return show(visit, session, { headers: await startSession(visit, session) })
  }

  /** Returns the login behind an approval, with the one-time code that its client wants; or the page that asks again. */
  async function proven(
    visit: Visit,
    session: Session,
    request: BackchannelRequest,
    otp: string,
  ): Promise<{ readonly login: Authentication } | { readonly again: HttpResponse }> {
    const { http, publish } = visit
    const user = registry.user(session.username)
    if (user === undefined || !needsCode(request, session)) return { login: authenticationOf(session) }
    const about = { client_id: request.client.client_id, username: user.username }
    const problem = await judgeCode(parts, user, {
      otp,
      cookie: cookie(http, csrf.cookieName),
      address: http.remoteAddress,
    })
    if (problem === undefined) {
      const made = withOneTimeCode(authenticationOf(session))
      publish({ type: 'second_factor.succeeded', ...about, acr: made.acr })
      return { login: made }
    }
    const { message, reason, rule, status, retryAfterSeconds } = problem
    publish({ type: 'second_factor.failed', ...about, reason, description: message, rule })
    return { again: show(visit, session, { message, status, retryAfterSeconds }) }
  }

  async function decide(
    visit: Visit,
    { request: handle, decision, ...fields }: Fields,
  ): Promise<HttpResponse> {
    const { http, publish } = visit
    const session = sessions.find(http)
    if (session === undefined) return askLogin(http, { message: 'Your login has ended. Log in again.' })
    const { username } = session
    const findWaiting = () => backchannelRequests.waitingFor(username).find(each => each.handle === handle)
    const request = findWaiting()
    if (request === undefined) {
      publish({ type: 'ciba.failed', username, ...GONE })
      return show(visit, session, { message: GONE.description })
    }
    const about = { client_id: request.client.client_id, username }
    if (!csrf.matches(fields.csrf, cookie(http, csrf.cookieName), decisionOf(request))) {
      publish({ type: 'ciba.failed', ...about, ...STALE_DECISION })
      return show(visit, session, { message: STALE_DECISION.description, status: 403 })
    }
    const scope = formatScope(request.scope)
    if (decision !== 'allow') {
      request.decision = { kind: 'denied' }
      publish({ type: 'ciba.denied', ...about, scope })
    } else {
      const proof = await proven(visit, session, request, fields.otp ?? '')
      if ('again' in proof) return proof.again
      // Another page may have decided while the code was checked.
      if (findWaiting() === undefined) return show(visit, session, { message: GONE.description })
      const { login } = proof
      request.decision = { kind: 'approved', username, ...login, acr: acrForAnswer(request.acr, login.acr) }
      publish({ type: 'ciba.approved', ...about, scope })
    }
    // The person does not wait for the client.
    void ping(request, publish)
    return cibaDecidedPage(decision === 'allow')
  }

  function get(http: HttpRequest, publish: Publish): HttpResponse {
    const { values } = readParameters(readForm(splitUrl(http.url).query, 'the request'), ['login'])
    const session = values.login === undefined ? sessions.find(http) : undefined
    return session === undefined ? askLogin(http) : show({ http, publish }, session)
  }

  async function post(http: HttpRequest, publish: Publish): Promise<HttpResponse> {
    const { values: fields, repeated } = readParameters(readFormBody(http), FIELDS)
    refuseRepeated(repeated, RULE)
    const visit = { http, publish }
    return fields.request === undefined ? login(visit, fields) : decide(visit, fields)
  }

  return { path: APPROVAL_PATH, methods: { GET: shownErrors(get), POST: shownErrors(post) } }
}

interface Visit {
  readonly http: HttpRequest
  readonly publish: Publish
}

/** Informs a client that the person has decided. Never fails: the client may poll as well. */
type PingClient = (request: BackchannelRequest, publish: Publish) => Promise<void>

const PING_RULE = 'OpenID Connect CIBA Core §10.2'

/** Longest part of a problem that an event repeats, in UTF-16 units. */
const MAX_PROBLEM = 200

/**
 * Makes the function that pings clients (OpenID Connect CIBA Core §10.2). The message has no result: the client asks the
 * token endpoint for it. It is sent once.
 * @param calls absent: nobody is called
 */
function createPing(calls: ClientCalls | undefined): PingClient {
  return async ({ client, username, authReqId, notificationToken }, publish) => {
    const { client_id, backchannel_client_notification_endpoint: url } = client
    if (calls === undefined || notificationToken === undefined || url === undefined) return
    const about = { client_id, username, url }
    publish({ type: 'ciba_ping.sent', ...about })
    try {
      const kind = documentKind(client)
      const { status } = await calls.postJson(url, { auth_req_id: authReqId }, notificationToken, kind)
      if (status === 200 || status === 204) {
        publish({ type: 'ciba_ping.accepted', ...about, status })
        return
      }
      const description = `it answered ${status} in place of 204; the client may still poll`
      publish({ type: 'ciba_ping.failed', ...about, status, description, rule: PING_RULE })
    } catch (error) {
      const description = bounded((error as Error).message, MAX_PROBLEM)
      publish({ type: 'ciba_ping.failed', ...about, description, rule: PING_RULE })
    }
  }
}
