import { cookie, type HeaderList, type HttpRequest, type HttpResponse } from '../../../http/message.js'
import { OAuthError } from '../../../oauth/oauth-error.js'
import { formatScope } from '../../../oauth/scope.js'
import type { Publish } from '../../events.js'
import type { BrowserSecret } from '../../logins/csrf.js'
import { judgeLogin, type LoginFields, type LoginParts } from '../../logins/login.js'
import type { Session, Sessions } from '../../logins/sessions.js'
import { decideSignOn } from '../../logins/sign-on.js'
import { loginPage } from '../../pages/login-page.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from '../../settings.js'
import { readIdTokenHint } from '../../tokens/id-token-hint.js'
import type { MakeAnswer } from './authorization-answer.js'
import type { AcceptedRequest } from './authorization-request.js'
import { redirectBack } from './authorization-response.js'

/** The parts that the interaction with the person uses. */
export interface InteractionParts extends LoginParts {
  readonly settings: Pick<AuthorizationServerSettings, 'issuer' | 'scopes'>
  readonly ports: Pick<AuthorizationServerPorts, 'now' | 'keyring'>
  readonly sessions: Sessions
  readonly makeAnswer: MakeAnswer
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

/** The person's part in an authorization request. Thrown errors go to the client. */
export interface Interaction {
  /** Starts a visit. @throws OAuthError, such as `login_required` */
  begin(visit: Visit): Promise<Reply>
  /** Takes a submitted login form. @throws OAuthError, such as `access_denied` */
  login(visit: Visit, fields: LoginFields): Promise<Reply>
}

interface Again {
  readonly username?: string | undefined
  readonly message?: string
  readonly status?: number
  readonly headers?: HeaderList
}

/** Makes the interaction: the login form and its check. A session answers without the form (single sign-on). */
export function createInteraction(parts: InteractionParts): Interaction {
  const { settings, ports, sessions, csrf, makeAnswer } = parts
  const { issuer } = settings

  function showForm({ request, browser, action, publish }: Visit, { headers = [], ...shown }: Again): Reply {
    const { client, scope, pairs } = request
    publish({ type: 'login.shown', client_id: client.client_id, scope: formatScope(scope) })
    const form = { request, action, scopes: settings.scopes, csrf: csrf.value(browser.secret, pairs) }
    return { response: loginPage({ ...form, ...shown }, [...browser.headers, ...headers]), answered: false }
  }

  async function answer({ request, publish }: Visit, session: Session, headers: HeaderList): Promise<Reply> {
    const pairs = await makeAnswer(request, session, publish)
    return { response: redirectBack(request.to, issuer, pairs, headers), answered: true }
  }

  /** @throws OAuthError `invalid_request` */
  async function hintedSubject({ idTokenHint, client }: AcceptedRequest): Promise<string | undefined> {
    if (idTokenHint === undefined) return undefined
    const hinted = await readIdTokenHint(idTokenHint, { issuer, registry: parts.registry, ...ports })
    if (hinted?.audience.includes(client.client_id)) return hinted.subject
    throw new OAuthError('invalid_request', {
      description: 'id_token_hint is no id_token that this server issued to this client',
      rule: 'OpenID Connect Core §3.1.2.1',
    })
  }

  return {
    async begin(visit) {
      const { http, request, publish } = visit
      const decision = decideSignOn(request, {
        session: sessions.find(http),
        hintedSubject: await hintedSubject(request),
        now: ports.now(),
      })
      if (decision.kind === 'refuse') throw decision.error
      if (decision.kind === 'ask') return showForm(visit, { username: decision.username })
      const { session } = decision
      publish({
        type: 'session.resumed',
        client_id: request.client.client_id,
        username: session.username,
      })
      return answer(visit, session, [])
    },

    async login(visit, fields) {
      const { http, request, publish } = visit
      const clientId = request.client.client_id
      if (request.prompts.includes('none')) {
        const description = 'prompt is none, which allows no form'
        throw new OAuthError('login_required', { description, rule: 'OpenID Connect Core §3.1.2.6' })
      }
      const sender = { cookie: cookie(http, csrf.cookieName), address: http.remoteAddress }
      const verdict = await judgeLogin(parts, request, fields, sender)
      if (verdict.kind === 'cancelled') {
        const description = 'the resource owner refused'
        throw new OAuthError('access_denied', { description, rule: 'RFC 6749 §4.1.2.1' })
      }
      if (verdict.kind === 'succeeded') {
        refuseOtherUser(verdict.username, await hintedSubject(request))
        const session = { username: verdict.username, loginAt: ports.now() }
        publish({ type: 'login.succeeded', client_id: clientId, username: session.username })
        return answer(visit, session, [['set-cookie', sessions.start(http, session)]])
      }
      const { reason, message, rule, status, retryAfterSeconds } = verdict
      const { username = '' } = fields
      publish({
        type: 'login.failed',
        client_id: clientId,
        username,
        reason,
        description: message,
        rule,
      })
      const headers: HeaderList =
        retryAfterSeconds === undefined ? [] : [['retry-after', String(retryAfterSeconds)]]
      return showForm(visit, { message, username, status, headers })
    },
  }
}

/** Refuses a login of another user than the hinted one (OpenID Connect Core §3.1.2.1, §3.1.2.2). */
function refuseOtherUser(username: string, hintedSubject: string | undefined): void {
  if (hintedSubject === undefined || hintedSubject === username) return
  throw new OAuthError('login_required', {
    description: 'another user than the one of id_token_hint logged in',
    rule: 'OpenID Connect Core §3.1.2.2',
    evidence: `hinted ${hintedSubject}, logged in ${username}`,
  })
}
