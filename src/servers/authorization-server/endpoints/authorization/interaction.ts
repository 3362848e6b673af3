import type { BrowserSecret } from '../../../../protocol/http/csrf.js'
import type { FormPairs } from '../../../../protocol/http/form.js'
import {
  cookie,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
} from '../../../../protocol/http/message.js'
import { OAuthError } from '../../../../protocol/oauth/oauth-error.js'
import { formatScope } from '../../../../protocol/oauth/scope.js'
import { defined } from '../../../../protocol/values.js'
import type { Publish } from '../../events.js'
import { byPassword } from '../../logins/authentication.js'
import { type AccessRequest, createConsents, NOTHING_ALLOWED } from '../../logins/consents.js'
import {
  boundToLogin,
  judgeLogin,
  judgeSecondFactor,
  type LoginFields,
  namedIn,
  offeredUsers,
  type SecondFactorFields,
} from '../../logins/login.js'
import { decideSignOn, type PendingLogin, type Session, type SignOn } from '../../logins/sessions.js'
import { createSessionStart } from '../../logout/end-session.js'
import { consentPage, loginPage, secondFactorPage } from '../../pages/login-page.js'
import { retryAfter, STALE_DECISION } from '../../pages/page.js'
import { acceptsSubject } from '../../parameters/claims-request.js'
import { decideAcr } from '../../parameters/login-demands.js'
import { partsOf } from '../../parameters/response-type.js'
import { readIdTokenHint } from '../../tokens/access-tokens.js'
import type { ServerParts } from '../parts.js'
import type { AcceptedRequest } from './authorization-request.js'
import { createAnswers, joinedState } from './authorization-response.js'

/** The person's part in an authorization request. Thrown errors go to the client. */
export interface Interaction {
  /** Starts a visit. @throws OAuthError, such as `login_required` */
  begin(visit: Visit): Promise<Reply>
  /** Takes a submitted login form. @throws OAuthError, such as `access_denied` */
  login(visit: Visit, fields: LoginFields): Promise<Reply>
  /** Takes a submitted one-time code. @throws OAuthError, such as `access_denied` */
  secondFactor(visit: Visit, fields: SecondFactorFields): Promise<Reply>
  /** Takes a submitted consent form. @throws OAuthError, such as `access_denied` */
  consent(visit: Visit, fields: ConsentFields): Promise<Reply>
}

/** The values of a submitted consent form: `allow`, `switch` for another user, or a refusal. */
interface ConsentFields {
  readonly consent?: string
  readonly csrf?: string
}

interface Again {
  readonly username?: string | undefined
  readonly message?: string
  readonly status?: number
  readonly headers?: HeaderList
}

/**
 * Makes the interaction. A login allows the client that its form named. A session answers without a form (single
 * sign-on), after a consent page for a client or scope that the person has not allowed yet.
 */
export function createInteraction(parts: ServerParts): Interaction {
  const { settings, defences, ports, sessions, subjects, csrf } = parts
  const { scopes, detailTypes } = settings
  const makeAnswer = createAnswers(parts)
  const startSession = createSessionStart(parts)
  const secondFactor = createSecondFactorStep(parts)

  function showForm(
    { http, request, browser, action, publish }: Visit,
    { headers = [], ...shown }: Again,
  ): Reply {
    const { client, scope, pairs } = request
    publish({ type: 'login.shown', client_id: client.client_id, scope: formatScope(scope) })
    const offered = offeredUsers(parts, request, http)
    const form = { request, action, scopes, detailTypes, offered, csrf: csrf.value(browser.secret, pairs) }
    return { response: loginPage({ ...form, ...shown }, [...browser.headers, ...headers]), answered: false }
  }

  function showConsent(
    { request, browser, action }: Visit,
    { username, consents }: Session,
    { headers = [], ...again }: Pick<Again, 'message' | 'status' | 'headers'> = {},
  ): Reply {
    const value = csrf.value(browser.secret, consentOf(username, request))
    // A client that wants the person asked again wants all of it asked.
    const allowed = request.prompts.includes('consent')
      ? NOTHING_ALLOWED
      : consents.allowed(accessOf(request))
    const form = { request, username, allowed, action, scopes, detailTypes, csrf: value }
    return { response: consentPage({ ...form, ...again }, [...browser.headers, ...headers]), answered: false }
  }

  async function answer({ request, publish }: Visit, session: Session, headers: HeaderList): Promise<Reply> {
    const pairs = [
      ...(await makeAnswer(request, session, publish)),
      ...joinedState(request, session, ports.random),
    ]
    return { response: await parts.sender.send(request.to, pairs, publish, headers), answered: true }
  }

  /** @throws OAuthError `invalid_request` */
  async function hintedSubject({ idTokenHint, client }: AcceptedRequest): Promise<string | undefined> {
    if (idTokenHint === undefined) return undefined
    const hinted = await readIdTokenHint(idTokenHint, parts)
    if (hinted?.audience.includes(client.client_id)) return hinted.subject
    throw new OAuthError('invalid_request', {
      description: 'id_token_hint is no id_token that this server issued to this client',
      rule: 'OpenID Connect Core §3.1.2.1',
    })
  }

  async function signOn({ http, request }: Visit): Promise<SignOn> {
    const [session, now] = [sessions.find(http), ports.now()]
    const sub = session && (await subjects.subFor(request.client, session.username))
    return decideSignOn(request, { session, sub, hintedSubject: await hintedSubject(request), now })
  }

  /** Answers, or asks, a person whose session is good for the request. */
  async function resume(visit: Visit, session: Session, headers: HeaderList = []): Promise<Reply> {
    const decision = defences.decideConsent(accessOf(visit.request), session.consents)
    if (decision.kind === 'refuse') throw decision.error
    const { request, publish } = visit
    const about = aboutConsent(request, session)
    const { client_id, username } = about
    publish({ type: 'session.resumed', client_id, username })
    if (decision.kind === 'granted') {
      publish({ type: 'consent.applied', ...about, source: decision.source })
      return answer(visit, session, headers)
    }
    const { reason, rule } = decision
    const { to, details } = request
    publish(
      defined({
        type: 'consent.shown',
        ...about,
        redirect_uri: to.redirectUri,
        authorization_details: details,
        reason,
        rule,
      }),
    )
    return showConsent(visit, session, { headers })
  }

  /** Starts the session of a person who logged in at a page that names the client, and answers. */
  async function begun(visit: Visit, session: Session): Promise<Reply> {
    const { request, publish } = visit
    session.consents.keep(accessOf(request))
    publish({ type: 'login.succeeded', client_id: request.client.client_id, username: session.username })
    return answer(visit, session, await startSession(visit, session))
  }

  return {
    async secondFactor(visit, fields) {
      refuseForm(visit.request, 'interaction_required')
      const result = await secondFactor.take(visit, fields)
      if (result.kind === 'asked') return result.reply
      if (result.kind === 'ended') return showForm(visit, { message: LOGIN_ENDED })
      const { session, allowed } = result
      if (allowed) return begun(visit, session)
      return resume(visit, session, await startSession(visit, session))
    },

    async begin(visit) {
      const decision = await signOn(visit)
      if (decision.kind === 'refuse') throw decision.error
      if (decision.kind === 'ask') return showForm(visit, { username: decision.username })
      const { session } = decision
      return secondFactor.ask(visit, { session, allowed: false }) ?? resume(visit, session)
    },

    async consent(visit, fields) {
      const { http, request, publish } = visit
      refuseForm(request, 'consent_required')
      const decision = await signOn(visit)
      if (decision.kind === 'refuse') throw decision.error
      if (decision.kind === 'ask') {
        return showForm(visit, {
          username: decision.username,
          message: LOGIN_ENDED,
        })
      }
      const { session } = decision
      const asked = secondFactor.ask(visit, { session, allowed: false })
      if (asked) return asked
      const about = aboutConsent(request, session)
      const { client_id, username } = about
      const sent = cookie(http, csrf.cookieName)
      if (!csrf.matches(fields.csrf, sent, consentOf(username, request))) {
        publish({ type: 'consent.failed', client_id, username, ...STALE_DECISION })
        return showConsent(visit, session, { message: STALE_DECISION.description, status: 403 })
      }
      if (fields.consent === 'switch') return showForm(visit, {})
      if (fields.consent !== 'allow') {
        publish({ type: 'consent.denied', ...about })
        throw denied()
      }
      const kept = session.consents.keep(accessOf(request))
      publish({ type: 'consent.granted', ...about, kept })
      return answer(visit, session, [])
    },

    async login(visit, fields) {
      const { http, request, publish } = visit
      const clientId = request.client.client_id
      refuseForm(request, 'login_required')
      const sender = { cookie: cookie(http, csrf.cookieName), address: http.remoteAddress }
      const { pairs } = request
      const verdict = await judgeLogin(
        parts,
        { pairs, offered: () => offeredUsers(parts, request, http) },
        fields,
        sender,
      )
      if (verdict.kind === 'cancelled') throw denied()
      if (verdict.kind === 'succeeded') {
        const { username } = verdict
        const sub = await subjects.subFor(request.client, username)
        refuseOtherUser({ username, sub }, request, await hintedSubject(request))
        const browser = sessions.identify(http, username)
        const session: Session = { username, ...byPassword(ports.now()), consents: createConsents(), browser }
        return secondFactor.ask(visit, { session, allowed: true }) ?? begun(visit, session)
      }
      const { reason, message, rule, status, retryAfterSeconds } = verdict
      const username = namedIn(fields)
      publish({
        type: 'login.failed',
        client_id: clientId,
        username,
        reason,
        description: message,
        rule,
      })
      const headers = retryAfter(retryAfterSeconds)
      return showForm(visit, { message, username, status, headers })
    },
  }
}

const LOGIN_ENDED = 'Your login has ended. Log in again.'

function accessOf(request: AcceptedRequest): AccessRequest {
  const { client, to, responseType, scope, claimNames, details, prompts } = request
  const { token, idToken } = partsOf(responseType)
  const tokensInAnswer = token === true || idToken === true
  const hasDetails = details !== undefined && details.length > 0
  const access = { client, redirectUri: to.redirectUri, tokensInAnswer, scope, claims: claimNames }
  return { ...access, hasDetails, prompts }
}

function aboutConsent({ client, scope }: AcceptedRequest, { username }: Session) {
  return { client_id: client.client_id, username, scope: formatScope(scope) }
}

/** Returns the parameters that the csrf value of a consent page is bound to. The page names the user. */
function consentOf(username: string, { pairs }: AcceptedRequest): FormPairs {
  return [['consent of', username], ...pairs]
}

/** @throws OAuthError for a request that allows no form (OpenID Connect Core §3.1.2.1) */
function refuseForm(
  { prompts }: AcceptedRequest,
  code: 'login_required' | 'consent_required' | 'interaction_required',
): void {
  if (!prompts.includes('none')) return
  const description = 'prompt is none, which allows no form'
  throw new OAuthError(code, { description, rule: 'OpenID Connect Core §3.1.2.6' })
}

function denied(): OAuthError<'access_denied'> {
  return new OAuthError('access_denied', {
    description: 'the resource owner refused',
    rule: 'RFC 6749 §4.1.2.1',
  })
}

/** The result of a submitted code. After `ended` the login begins again. */
type SecondFactorResult =
  | { readonly kind: 'succeeded'; readonly session: Session; readonly allowed: boolean }
  | { readonly kind: 'asked'; readonly reply: Reply }
  | { readonly kind: 'ended' }

/** The second factor in an interaction. Thrown errors go to the client. */
interface SecondFactorStep {
  /**
   * Returns the page that asks for a one-time code; undefined when the login is strong enough for the request.
   * @throws OAuthError `interaction_required` or `unmet_authentication_requirements`
   */
  ask(visit: Visit, login: PendingLogin): Reply | undefined
  /** Takes a submitted code. @throws OAuthError `access_denied` after Cancel */
  take(visit: Visit, fields: SecondFactorFields): Promise<SecondFactorResult>
}

/** Makes the step of an interaction that asks for a second factor, where a request wants a stronger login. */
function createSecondFactorStep(parts: ServerParts): SecondFactorStep {
  const { registry, csrf, sessions, pendingLogins } = parts

  function show(
    { request, browser, action, publish }: Visit,
    pending: string,
    { username }: Session,
    again: { readonly message?: string; readonly status?: number; readonly headers?: HeaderList } = {},
  ): Reply {
    const { headers = [], ...shown } = again
    publish({ type: 'second_factor.shown', client_id: request.client.client_id, username })
    const value = csrf.value(browser.secret, boundToLogin(pending, request.pairs))
    const form = { request, username, pending, action, csrf: value, ...shown }
    return { response: secondFactorPage(form, [...browser.headers, ...headers]), answered: false }
  }

  return {
    ask(visit, login) {
      const { request } = visit
      const { acr, username } = login.session
      const step = decideAcr(request.acr, {
        acr,
        canAddFactor: registry.user(username)?.totp_secret !== undefined,
        mayAsk: !request.prompts.includes('none'),
      })
      if (step.kind === 'met') return undefined
      if (step.kind === 'refuse') throw step.error
      return show(visit, pendingLogins.keep(login), login.session)
    },

    async take(visit, fields) {
      const { http, request, publish } = visit
      const clientId = request.client.client_id
      const sender = { cookie: cookie(http, csrf.cookieName), address: http.remoteAddress }
      const asked = { pairs: request.pairs, present: sessions.find(http) }
      const verdict = await judgeSecondFactor(parts, asked, fields, sender)
      if (verdict.kind === 'ended') return verdict
      if (verdict.kind === 'cancelled') {
        const description = 'the resource owner refused'
        throw new OAuthError('access_denied', { description, rule: 'RFC 6749 §4.1.2.1' })
      }
      const { username, acr } = verdict.session
      if (verdict.kind === 'succeeded') {
        publish({ type: 'second_factor.succeeded', client_id: clientId, username, acr })
        return verdict
      }
      const { session, reason, message, rule, status, retryAfterSeconds } = verdict
      publish({
        type: 'second_factor.failed',
        client_id: clientId,
        username,
        reason,
        description: message,
        rule,
      })
      const headers = retryAfter(retryAfterSeconds)
      return {
        kind: 'asked',
        reply: show(visit, fields.second_factor ?? '', session, { message, status, headers }),
      }
    },
  }
}

/** Refuses a login of another user than the request names (OpenID Connect Core §3.1.2.1, §3.1.2.2). */
function refuseOtherUser(
  { username, sub }: { readonly username: string /** As the client knows the user. */; readonly sub: string },
  { claims }: AcceptedRequest,
  hintedSubject: string | undefined,
): void {
  if (!acceptsSubject(sub, claims)) {
    throw new OAuthError('login_required', {
      description: 'another user than the sub of claims logged in',
      rule: 'OpenID Connect Core §3.1.2.2',
      evidence: `logged in ${username}`,
    })
  }
  if (hintedSubject === undefined || hintedSubject === username) return
  throw new OAuthError('login_required', {
    description: 'another user than the one of id_token_hint logged in',
    rule: 'OpenID Connect Core §3.1.2.2',
    evidence: `hinted ${hintedSubject}, logged in ${username}`,
  })
}

/** A browser's visit with a valid request. */
export interface Visit {
  readonly http: HttpRequest
  readonly request: AcceptedRequest
  readonly publish: Publish
  readonly browser: BrowserSecret
  /** Address of the form. Undefined: the page's own URL. */
  readonly action: string | undefined
}

/** The response to a visit. `answered` is false for a page that asks the person for more. */
export interface Reply {
  readonly response: HttpResponse
  readonly answered: boolean
}
