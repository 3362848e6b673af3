import {
  type HttpRequest,
  type HttpResponse,
  headerValues,
  isLocalRequest,
  splitUrl,
  textResponse,
} from '../../../protocol/http/message.js'
import { prefersHtml } from '../../../protocol/http/negotiation.js'
import type { Route } from '../../../protocol/http/site.js'
import {
  type AuthorizationRequestOptions,
  authorizationRequest,
  requestParameters,
} from '../../../protocol/oauth/authorization-request.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import { answerPage, frontPage, type LoginStart, shownEvent } from '../pages/front-page.js'
import { shownErrors } from '../pages/page.js'
import { readForm } from '../parameters/form-body.js'
import type { LocalLab } from '../settings.js'
import { STAGES } from '../stages/stages.js'
import { judgeAuthorizationRequest } from './authorization/authorization-request.js'
import type { ServerParts } from './parts.js'
import { PUBLISHED_PATHS } from './publication.js'
import { dashboardRoutes, eventStream } from './web-dashboard.js'

/** The example of RFC 7636 Appendix B. It need not be secret: the answer page prints it for a token request. */
const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** Path of the page that receives answers in the place of a client. The clients of the built-in lab are registered for it. */
const ANSWER_PATH = '/callback'

/**
 * `/`: a greeting for programs, and a page for people. A lab for this computer alone also has the stream of its events
 * (HTML, "server-sent events"), and the page that receives the answers to logins that begin on the front page.
 */
export function frontRoutes(parts: ServerParts): readonly Route[] {
  const greeting = textResponse(200, 'Hello from the oauth-lab authorization server.\n')
  const front: Route = {
    path: '/',
    methods: {
      GET: request =>
        prefersHtml(headerValues(request, 'accept')) ? shownFront(shownTo(request, parts)) : greeting,
    },
  }
  const { localLab } = parts.ports
  if (localLab === undefined) return [front]
  const { events, dashboardKey } = localLab
  const stream = eventStream(events, shownEvent)
  return [
    front,
    {
      path: '/events',
      methods: {
        GET: (request, ...more) =>
          isLocalRequest(request)
            ? stream(request, ...more)
            : textResponse(404, 'The events are shown on the computer of the lab.\n'),
      },
    },
    answers(parts),
    ...(dashboardKey === undefined ? [] : dashboardRoutes(parts.settings.issuer, dashboardKey, events)),
  ]
}

/** The parts without those of a lab for this computer alone, for a visitor who comes through a tunnel. */
function shownTo(request: HttpRequest, parts: ServerParts): ServerParts {
  const { localLab: _, ...ports } = parts.ports
  return isLocalRequest(request) ? parts : { ...parts, ports }
}

function shownFront(parts: ServerParts): HttpResponse {
  const { settings, ports, registry } = parts
  const { issuer, stage, users } = settings
  const metadata = STAGES[stage].published ? Object.values(PUBLISHED_PATHS).map(path => issuer + path) : []
  const start = (client: Client) => loginStart(client, parts)
  const page = { clients: registry.clients(), start, metadata }
  const { localLab } = ports
  if (localLab === undefined) return frontPage(page)
  const { builtInUsers, events } = localLab
  // Of several entries with one name the last counts.
  const current = users.filter(each => registry.user(each.username) === each)
  return frontPage({ ...page, local: { users: current, builtInUsers, events: events.after(0) } })
}

function loginStart(client: Client, parts: ServerParts): LoginStart {
  const { enabled, grant_types: grants, redirect_uris: addresses } = client
  if (!enabled) return { kind: 'none', why: 'It is switched off in the lab file.' }
  if (!grants.includes('authorization_code')) {
    return { kind: 'none', why: `It logs nobody in. Its grants: ${grants.join(', ') || 'none'}` }
  }
  const demoClient = parts.ports.localLab?.clientUrl()
  if (demoClient !== undefined && addresses.includes(`${demoClient}/callback`)) {
    return { kind: 'link', url: `${demoClient}/login` }
  }
  const request = answeredRequest(client, parts)
  if (request !== undefined) return { kind: 'link', url: authorizationRequest(request).url }
  const { allowed_scopes: allowed = [] } = client
  const isUsual = parts.settings.defaultScope.split(' ').some(token => allowed.includes(token))
  return { kind: 'command', scope: allowed.length === 0 || isUsual ? undefined : formatScope(allowed) }
}

/** Returns an authorization request that this server accepts, and whose answer comes to the answer page; undefined without one. */
function answeredRequest(
  { client_id: clientId }: Client,
  parts: ServerParts,
): AuthorizationRequestOptions | undefined {
  const { settings, ports } = parts
  const { issuer, defaultScope } = settings
  const circumstances = { known: settings, pushed: false }
  return answerAddresses(ports.localLab)
    .map(redirectUri => ({
      endpoint: `${issuer}/authorization`,
      responseType: 'code',
      clientId,
      redirectUri,
      // The server narrows it to the scope that the client may have.
      scope: `openid ${defaultScope}`,
      // Names the client to the answer page.
      state: clientId,
      codeVerifier: CODE_VERIFIER,
      issPromised: true,
    }))
    .find(
      request =>
        judgeAuthorizationRequest(requestParameters(request), parts, circumstances).channel === 'login',
    )
}

/** Addresses at the listener for plain http, which leads to the answer page. A registered 127.0.0.1 matches any port. */
function answerAddresses(localLab: LocalLab | undefined): readonly string[] {
  const base = localLab?.httpUrl()
  if (base === undefined) return []
  return [base.replace('//localhost', '//127.0.0.1'), base].map(each => each + ANSWER_PATH)
}

function answers(parts: ServerParts): Route {
  const { registry, issuer } = parts
  return {
    path: ANSWER_PATH,
    methods: {
      GET: shownErrors(({ url }) => {
        const pairs = readForm(splitUrl(url).query, 'the answer')
        const client = registry.client(pairs.find(([name]) => name === 'state')?.[1] ?? '')
        const request = client && answeredRequest(client, parts)
        return answerPage(pairs, client && request && { client, issuer, request })
      }),
    },
  }
}
