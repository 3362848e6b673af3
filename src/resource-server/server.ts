import { defined } from '../defined.js'
import { cut } from '../events/outside-text.js'
import { withCrossOrigin } from '../http/cross-origin.js'
import {
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
  splitUrl,
  textResponse,
  withNosniff,
} from '../http/message.js'
import { createRouter } from '../http/routes.js'
import type { RequestContext, Site } from '../http/site.js'
import { OAuthError } from '../oauth/oauth-error.js'
import { createDpopNonces } from '../tokens/dpop-nonces.js'
import { NO_TOKEN, refusalAnswer, refusalStatus, unauthenticated } from './answers.js'
import { type Access, createAuthenticator } from './authenticator.js'
import { STRICT } from './defences.js'
import { requireDetails } from './details-check.js'
import type { Context, Scheme } from './events.js'
import { MAX_BODY_BYTES } from './limits.js'
import { requireLogin } from './login-check.js'
import { usedScheme } from './presented.js'
import { PUBLIC_ANSWER } from './public-answer.js'
import { METADATA_PATH, proofAlgorithmsOf, publication } from './publication.js'
import { createRecords } from './records.js'
import { refused } from './refusal.js'
import type { ResourceRoute, ResourceServerPorts, ResourceServerSettings } from './settings.js'

/** The methods that scripts of other origins may use. The wildcard is for the methods that routes of the lab file name. */
const CROSS_ORIGIN_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, *'

/**
 * Makes the resource server (interface specification, "Protected resource access"; RFC 6750). `/resource` shows the
 * claims of any accepted token. `/public` needs no token.
 * @throws UsageError for a configured key or an issuer that cannot be used
 */
export function createResourceServer(settings: ResourceServerSettings, ports: ResourceServerPorts): Site {
  const { defences = STRICT } = settings
  const nonces = settings.dpopNonceRequired ? createDpopNonces(ports) : undefined
  const authenticate = createAuthenticator(settings, ports, nonces)
  const records = createRecords(ports)
  const open = createRouter(publication(settings))
  const answers = {
    metadataUrl: `${settings.baseUrl}${METADATA_PATH}`,
    mac: ports.macKeys !== undefined,
    algs: proofAlgorithmsOf(settings).join(' '),
  }
  const guarded = routesByPath([...settings.routes, { path: '/resource' }])

  async function answer(request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
    const { path } = splitUrl(request.url)
    const routes = guarded.get(path)
    if (routes === undefined) return path === '/public' ? PUBLIC_ANSWER : open(request, context)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = routes.find(({ methods }) => methods === undefined || methods.includes(method))
    return route === undefined
      ? otherMethod(request, routes)
      : withNonce(await guard(request, context, route))
  }

  /** Returns a response with the nonce for the next proof (RFC 9449 §9), when nonces are used. */
  function withNonce(response: HttpResponse): HttpResponse {
    if (nonces === undefined) return response
    return { ...response, headers: [...response.headers, ['dpop-nonce', nonces.current()]] }
  }

  async function guard(request: HttpRequest, context: Context, route: ResourceRoute): Promise<HttpResponse> {
    const { path, scope } = route
    const { publish } = context
    const about = { method: request.method, path }
    const scheme = usedScheme(request)
    try {
      if (request.body.length > MAX_BODY_BYTES) {
        throw refused('content_too_large', `a body has at most ${MAX_BODY_BYTES} bytes`, 'RFC 9110 §15.5.14')
      }
      const presented = await authenticate(request, context)
      if (presented === undefined) {
        publish({ type: 'resource.refused', ...about, status: 401, ...NO_TOKEN })
        return unauthenticated(answers, scope)
      }
      const login = requireLogin(presented, route, ports.now())
      const access = { ...presented, checks: [...presented.checks, ...login] }
      defences.requireScope(access, scope)
      requireDetails(access, route, settings.baseUrl)
      const response = (path === '/records' && records(request, access)) || claimsAnswer(access)
      publish({ type: 'resource.accepted', ...about, ...accepted(access) })
      return response
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      publish({ type: 'resource.refused', ...about, ...refusedFor(error, scheme) })
      return refusalAnswer(error, { scheme, scope, login: route }, answers)
    }
  }

  async function handle(request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
    try {
      return withNosniff(await answer(request, context))
    } catch (error) {
      const { path } = splitUrl(request.url)
      const description = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
      const { publish }: Context = context
      publish({ type: 'server.failed', site: 'resource', method: request.method, path, description })
      const failure = refused('server_error', 'the server failed to answer this request', 'RFC 9110 §15.6.1')
      return withNosniff(refusalAnswer(failure, { scheme: undefined }, answers))
    }
  }
  return { name: 'resource', handle: withCrossOrigin({ methods: CROSS_ORIGIN_METHODS }, handle) }
}

function routesByPath(routes: readonly ResourceRoute[]): ReadonlyMap<string, readonly ResourceRoute[]> {
  const paths = new Map<string, ResourceRoute[]>()
  for (const route of routes) {
    const known = paths.get(route.path)
    if (known === undefined) paths.set(route.path, [route])
    else known.push(route)
  }
  return paths
}

function otherMethod(request: HttpRequest, routes: readonly ResourceRoute[]): HttpResponse {
  const methods = new Set(routes.flatMap(each => each.methods ?? []))
  const allow = [...methods].flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  const text = `${request.method} is not allowed here. Allowed: ${allow}\n`
  return textResponse(405, text, [['allow', allow]])
}

/** Returns the claims of the token, and in `decided` the reasons why the token was accepted. */
function claimsAnswer({ claims, scheme, checks, keys }: Access): HttpResponse {
  const decided = { scheme, keys, checks }
  return jsonResponse(200, { ...claims, decided }, [['cache-control', 'no-store']])
}

/** Returns the members of an event about an accepted token, besides the request. */
function accepted({ scheme, token, claims, scope, checks, alg, keys }: Access) {
  const owner: { sub?: string; client_id?: string } = {}
  if (typeof claims.sub === 'string') owner.sub = claims.sub
  if (typeof claims.client_id === 'string') owner.client_id = claims.client_id
  const source = keys === undefined ? undefined : keys === 'configured' ? keys : ('published' as const)
  const key = defined({ alg, keys: source })
  return { scheme, access_token: cut(token), ...owner, scope: scope.join(' '), ...key, checks }
}

/** Returns the members of an event about an error response, besides the request. */
function refusedFor(error: OAuthError, scheme: Scheme | undefined) {
  const { code, description, rule, evidence } = error
  const known: { scheme?: Scheme; evidence?: string } = {}
  if (scheme !== undefined) known.scheme = scheme
  if (evidence !== undefined) known.evidence = evidence
  return { status: refusalStatus(error), error: code, description, rule, ...known }
}
