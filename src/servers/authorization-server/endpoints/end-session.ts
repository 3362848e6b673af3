import { encodeForm, type FormPairs, pairsInOrder, readParameters } from '../../../protocol/http/form.js'
import {
  cookie,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  redirectResponse,
  splitUrl,
} from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { type Client, redirectUriRules } from '../../../protocol/oauth/client.js'
import { inLanguages } from '../../../protocol/oauth/client-metadata.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import {
  matchRedirectUri,
  type VerifiedRedirectUri,
  withQuery,
} from '../../../protocol/oauth/redirect-uri.js'
import { defined } from '../../../protocol/values.js'
import { type Context, type Publish, refusal } from '../events.js'
import type { Session } from '../logins/sessions.js'
import { loggedOutPage, logoutQuestionPage, stillLoggedInPage } from '../pages/logout-pages.js'
import { errorPage } from '../pages/page.js'
import { FormTooLarge, readForm, readFormBody, refuseRepeated } from '../parameters/form-body.js'
import { type HintedLogin, readIdTokenHint } from '../tokens/access-tokens.js'
import { limitRequest } from './authorization/authorization-request.js'
import type { ServerParts } from './parts.js'

const PARAMETERS = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales'] as const
const FIELDS = ['csrf', 'logout', 'cancel'] as const
const RULE = 'OpenID Connect RP-Initiated Logout §2'

interface LogoutRequest {
  readonly client: Client | undefined
  readonly hinted: HintedLogin | undefined
  readonly to: VerifiedRedirectUri | undefined
  readonly state: string | undefined
  readonly pairs: FormPairs
}

interface Visit {
  readonly http: HttpRequest
  readonly request: LogoutRequest
  readonly publish: Publish
}

/** `/end-session` (OpenID Connect RP-Initiated Logout): ends the browser's session, if need be after a question. */
export function endSessionEndpoint(parts: ServerParts): Route {
  const { registry, csrf, sessions, endSession } = parts

  async function judge(sent: FormPairs): Promise<LogoutRequest> {
    const { values, repeated } = readParameters(sent, PARAMETERS)
    refuseRepeated(repeated, RULE)
    const { id_token_hint: hint, client_id: clientId, post_logout_redirect_uri: address, state } = values
    const hinted = hint === undefined ? undefined : await readIdTokenHint(hint, parts)
    if (clientId !== undefined && hinted?.audience.includes(clientId) === false) {
      throw refused('client_id is not the client that id_token_hint was issued to')
    }
    const named = clientId ?? hinted?.audience[0]
    const registered = typeof named === 'string' ? registry.client(named) : undefined
    const client = registered && inLanguages(registered, values.ui_locales)
    if (clientId !== undefined && client === undefined) throw refused('client_id is unknown', clientId)
    const to = address === undefined ? undefined : returnAddress(address, client)
    const pairs = pairsInOrder(values, PARAMETERS)
    limitRequest(encodeForm(pairs).length)
    return { client, hinted, to, state, pairs }
  }

  function ask({ http, request, publish }: Visit, { username }: Session, message?: string) {
    const { client, pairs } = request
    const browser = csrf.browser(cookie(http, csrf.cookieName))
    publish(defined({ type: 'logout.shown', username, client_id: client?.client_id }))
    const value = csrf.value(browser.secret, bound(pairs))
    const shown = { username, client, pairs, csrf: value, message }
    return logoutQuestionPage(shown, browser.headers)
  }

  async function finish({ http, request, publish }: Visit, session?: Session): Promise<HttpResponse> {
    const { client, to: address, state } = request
    const headers: HeaderList = sessions.end(http)
    const clients = session === undefined ? [] : await endSession(session, publish, client)
    const to = address && withQuery(address, [['state', state]])
    if (to === undefined || clients.some(({ frame }) => frame !== undefined)) {
      return loggedOutPage(defined({ clients, to }), headers)
    }
    return redirectResponse(to, [['cache-control', 'no-store'], ...headers])
  }

  function begin(visit: Visit): HttpResponse | Promise<HttpResponse> {
    const session = sessions.find(visit.http)
    const needsNoQuestion = session === undefined || visit.request.hinted?.subject === session.username
    return needsNoQuestion ? finish(visit, session) : ask(visit, session)
  }

  async function get(http: HttpRequest, publish: Publish): Promise<HttpResponse> {
    return begin({ http, request: await judge(readForm(splitUrl(http.url).query, 'the request')), publish })
  }

  async function post(http: HttpRequest, publish: Publish): Promise<HttpResponse> {
    const { path, query } = splitUrl(http.url)
    const body = readFormBody(http)
    const { values: fields } = readParameters(body, FIELDS)
    const request = await judge([...readForm(query, 'the request'), ...body])
    const visit = { http, request, publish }
    const session = sessions.find(http)
    if (fields.csrf === undefined) {
      if (session) return begin(visit)
      // A POST from another site comes without the session cookie (SameSite=Lax). A redirect is a GET and has it.
      return redirectResponse(`${path}?${encodeForm(request.pairs)}`, [['cache-control', 'no-store']])
    }
    if (session === undefined) return finish(visit)
    if (!csrf.matches(fields.csrf, cookie(http, csrf.cookieName), bound(request.pairs))) {
      return ask(visit, session, 'This page is out of date, or belongs to another browser.')
    }
    return fields.cancel === undefined ? finish(visit, session) : stillLoggedInPage(session.username)
  }

  /** Makes a handler that shows its errors to the person. The request is not authenticated, so no error is redirected. */
  const shownErrors =
    (handler: (http: HttpRequest, publish: Publish) => Promise<HttpResponse>) =>
    async (http: HttpRequest, { publish }: Context) => {
      try {
        return await handler(http, publish)
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        publish({ type: 'logout.refused', ...refusal(error) })
        return errorPage(error, error instanceof FormTooLarge ? 413 : 400)
      }
    }

  return { path: '/end-session', methods: { GET: shownErrors(get), POST: shownErrors(post) } }
}

/** Returns the parameters that a csrf value is bound to. `purpose` keeps it from being valid at another endpoint. */
function bound(pairs: FormPairs): FormPairs {
  return [['purpose', 'end-session'], ...pairs]
}

function refused(description: string, evidence?: string): OAuthError<'invalid_request'> {
  return new OAuthError('invalid_request', { description, rule: RULE, evidence })
}

function returnAddress(address: string, client: Client | undefined): VerifiedRedirectUri {
  if (client === undefined) {
    throw refused('post_logout_redirect_uri needs client_id, or an id_token_hint that this server issued')
  }
  const matched = matchRedirectUri(address, client.post_logout_redirect_uris ?? [], redirectUriRules(client))
  if (typeof matched === 'string') return matched
  throw refused(`post_logout_redirect_uri is refused: ${matched.problem}`)
}
