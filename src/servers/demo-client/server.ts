import { UserError } from '../../protocol/errors.js'
import { cut } from '../../protocol/events.js'
import { createCsrf } from '../../protocol/http/csrf.js'
import { encodeForm } from '../../protocol/http/form.js'
import {
  cookie,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  redirectResponse,
  splitUrl,
  withNosniff,
} from '../../protocol/http/message.js'
import { sourceOf } from '../../protocol/http/network.js'
import type { RequestContext, Site } from '../../protocol/http/site.js'
import { createRouter, type RouteHandler } from '../../protocol/http/site.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { defined } from '../../protocol/values.js'
import type { DefendedSettings } from './defences.js'
import type { Context, Publish } from './events.js'
import { fieldsOf, formText, RequestRefusal } from './forms.js'
import { logoutChannels } from './logout-channels.js'
import { createNotes } from './notes.js'
import { frontPage, loggedOutPage, notesPage, refusedPage, relayPage, unreachablePage } from './pages.js'
import { createSessions, type Session } from './sessions.js'
import type { DemoClientPorts } from './settings.js'
import { createSignIn, type Finished } from './sign-in.js'

/** The cookie that ties logins and forms to a browser. */
const BROWSER_COOKIE = '__Host-demo-web-browser'

const NO_STORE = ['cache-control', 'no-store'] as const

/** A session with its id. */
interface Visit {
  readonly id: string
  readonly session: Session
}

/** Returns a redirect that a browser follows with GET, whatever its request was (RFC 9110 §15.4.4). */
function seeOther(location: string, headers: HeaderList = []): HttpResponse {
  return { ...redirectResponse(location, [NO_STORE, ...headers]), status: 303 }
}

/** Handles a request of this site. */
type Handler = (request: HttpRequest, publish: Publish) => HttpResponse | Promise<HttpResponse>

/**
 * Creates the demo client: a web application that logs people in by OpenID Connect and keeps notes for them. Its stores
 * are in memory.
 */
export function createDemoClient(settings: DefendedSettings, ports: DemoClientPorts): Site {
  const { baseUrl, issuers, defences } = settings
  const { now, random, sendFor } = ports
  const { place } = defences
  const csrf = createCsrf(BROWSER_COOKIE, random)
  const sessions = createSessions(now)
  const notes = createNotes(ports)
  const signIn = createSignIn(settings, ports)

  const browserOf = (request: HttpRequest) => cookie(request, BROWSER_COOKIE)

  function visitOf(request: HttpRequest): Visit | undefined {
    const id = place.idIn(request)
    const session = sessions.find(id)
    return id === undefined || session === undefined ? undefined : { id, session }
  }

  const about = ({ session: { issuer, subject } }: Visit) => ({ issuer, sub: subject })

  /** Returns the page of a person's notes. The csrf value of its forms belongs to this browser and this session. */
  function showNotes(request: HttpRequest, { id, session }: Visit, refused?: Refused): HttpResponse {
    const browser = csrf.browser(browserOf(request))
    const forms = {
      to: (path: string) => place.carry(path, id),
      csrf: csrf.value(browser.secret, [['session', id]]),
    }
    const shown = notesPage(defined({ session, notes: notes.of(session.account), forms, refused }))
    return { ...shown, headers: [...shown.headers, ...browser.headers] }
  }

  /**
   * Makes a handler of a form that only its own page may send.
   * @param names the fields that the handler reads
   */
  const ownForm =
    <Name extends string>(
      names: readonly Name[],
      handle: (
        visit: Visit,
        fields: { readonly [N in Name]?: string },
        request: HttpRequest,
        publish: Publish,
      ) => HttpResponse,
    ): Handler =>
    (request, publish) => {
      const visit = visitOf(request)
      const fields = fieldsOf(formText(request), [...names, 'csrf'])
      if (visit === undefined) return seeOther('/')
      const { csrf: value }: { readonly csrf?: string } = fields
      if (csrf.matches(value, browserOf(request), [['session', visit.id]])) {
        return handle(visit, fields, request, publish)
      }
      throw new RequestRefusal(
        403,
        'the form is out of date, or belongs to another page or browser',
        'RFC 6749 §10.12',
      )
    }

  const front: Handler = request => {
    const visit = visitOf(request)
    return visit === undefined ? frontPage(issuers) : seeOther(place.carry('/notes', visit.id))
  }

  const login: Handler = async (request, publish) => {
    const { query } = splitUrl(request.url)
    const { issuer, return_to: asked } = fieldsOf(query, ['issuer', 'return_to'])
    const returnTo = defences.returnTo({ returnTo: asked, query })
    const visit = visitOf(request)
    if (visit !== undefined) return seeOther(place.carry(returnTo, visit.id))
    const browser = csrf.browser(browserOf(request))
    const network = sourceOf(request.remoteAddress)
    const visitor = { browser: browser.secret, network, send: sendFor(request.id), publish }
    const location = await signIn.start({ issuer, returnTo }, visitor)
    return seeOther(location, browser.headers)
  }

  /** Starts a session under a new id. The browser's former session ends, so that nobody can plant an id (fixation). */
  function welcome(request: HttpRequest, finished: Finished, publish: Publish): HttpResponse {
    const { person, login, checks, code } = finished
    const former = visitOf(request)
    if (former !== undefined) sessions.end(former.id)
    const { issuer, subject, name, idToken, sid } = person
    const account = defences.account(person)
    const id = place.newId(person, random)
    const { clientId } = login.at
    const { endSession } = login.endpoints
    sessions.start(id, defined({ issuer, clientId, subject, account, name, idToken, sid, endSession }))
    const who = { issuer, sub: subject, client_id: clientId, account }
    publish(defined({ type: 'demo_client.logged_in', ...who, code: code && cut(code), checks }))
    return seeOther(place.carry(login.returnTo, id), place.give(id))
  }

  const callback: Handler = async (request, publish) => {
    const { path, query } = splitUrl(request.url)
    const parameters = request.method === 'POST' ? formText(request) : query
    // An empty form would be sent again and again.
    const relay = request.method === 'GET' && query === '' ? defences.grant.relay() : undefined
    if (relay !== undefined) return relayPage(relay)
    const visitor = { browser: browserOf(request), send: sendFor(request.id) }
    return welcome(request, await signIn.finish(path, parameters, visitor), publish)
  }

  const read: Handler = (request, publish) => {
    const visit = visitOf(request)
    if (visit === undefined && sessions.endedByIssuer(place.idIn(request))) {
      return loggedOutPage(issuers, place.take())
    }
    if (visit === undefined) {
      return seeOther(issuers.length > 1 ? '/' : `/login?${encodeForm([['return_to', '/notes']])}`)
    }
    publish({
      type: 'demo_client.notes_read',
      ...about(visit),
      notes: notes.of(visit.session.account).length,
    })
    return showNotes(request, visit)
  }

  const add = ownForm(['text'], (visit, { text = '' }, request, publish) => {
    try {
      const note = notes.add(visit.session.account, text)
      publish({ type: 'demo_client.note_added', ...about(visit), note: note.id, length: note.text.length })
      return seeOther(place.carry('/notes', visit.id))
    } catch (error) {
      if (!(error instanceof RequestRefusal)) throw error
      refuse(request, publish, error)
      return showNotes(request, visit, { status: error.status, message: error.description, text })
    }
  })

  const remove = ownForm(['note'], (visit, { note = '' }, _, publish) => {
    if (notes.remove(visit.session.account, note)) {
      publish({ type: 'demo_client.note_deleted', ...about(visit), note })
    }
    return seeOther(place.carry('/notes', visit.id))
  })

  /** Ends the session here and at the issuer (OpenID Connect RP-Initiated Logout §2). */
  const logout = ownForm([], (visit, _, __, publish) => {
    const { idToken, clientId, endSession } = visit.session
    sessions.end(visit.id)
    publish({ type: 'demo_client.logged_out', ...about(visit) })
    const parameters = encodeForm([
      ['id_token_hint', idToken],
      ['client_id', clientId],
      ['post_logout_redirect_uri', `${baseUrl}/logged-out`],
    ])
    const mark = endSession?.includes('?') ? '&' : '?'
    const location = endSession === undefined ? '/logged-out' : `${endSession}${mark}${parameters}`
    return seeOther(location, place.take())
  })

  const route = createRouter([
    { path: '/', methods: { GET: handled(front) } },
    { path: '/login', methods: { GET: handled(login) } },
    { path: '/callback', methods: { GET: handled(callback), POST: handled(callback) } },
    { path: '/callback/:issuer', methods: { GET: handled(callback), POST: handled(callback) } },
    { path: '/notes', methods: { GET: handled(read), POST: handled(add) } },
    { path: '/notes/delete', methods: { POST: handled(remove) } },
    { path: '/logout', methods: { POST: handled(logout) } },
    ...logoutChannels(settings, ports, sessions),
    { path: '/logged-out', methods: { GET: () => loggedOutPage(issuers) } },
  ])
  return { name: 'client', handle: async (request, context) => withNosniff(await route(request, context)) }
}

type Refused = NonNullable<Parameters<typeof notesPage>[0]['refused']>

/** True for the paths whose refusals end a login. */
const endsLogin = (path: string): boolean => /^\/(?:login|callback)(?:\/|$)/.test(path)

function refuse({ method, url }: HttpRequest, publish: Publish, error: OAuthError): number {
  const { code, description, rule, evidence } = error
  const { path } = splitUrl(url)
  const status = error instanceof RequestRefusal ? error.status : 400
  if (endsLogin(path)) {
    publish(defined({ type: 'demo_client.login_refused', error: code, description, rule, evidence }))
  } else {
    publish({ type: 'demo_client.request_refused', method, path, status, description, rule })
  }
  return status
}

/** Makes a route of a handler. Its refusals become pages. */
function handled(handler: Handler): RouteHandler {
  return async (request, context: RequestContext) => {
    const { publish }: Context = context
    try {
      return await handler(request, publish)
    } catch (error) {
      if (error instanceof OAuthError) return refusedPage(refuse(request, publish, error), error)
      if (!(error instanceof UserError)) throw error
      publish({ type: 'demo_client.login_failed', description: error.message })
      return unreachablePage(error.message)
    }
  }
}
