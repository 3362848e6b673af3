import {
  type HttpRequest,
  type HttpResponse,
  header,
  jsonResponse,
  splitUrl,
  textResponse,
  withNosniff,
} from '../../protocol/http/message.js'
import type { RequestContext, Site } from '../../protocol/http/site.js'
import { createRouter, withCrossOrigin } from '../../protocol/http/site.js'
import { createDpopNonces } from '../../protocol/tokens/dpop.js'
import { uuidOf } from '../../protocol/values.js'
import { refusalAnswer } from './answers.js'
import { type Access, createAuthenticator } from './authenticator.js'
import { refused } from './claim-checks.js'
import { type DefendedSettings, STRICT } from './defences.js'
import type { Context } from './events.js'
import { createGuard } from './guard.js'
import { createMcpEndpoint, withMcpOrigins } from './mcp/endpoint.js'
import { MCP_PATH } from './mcp/tools.js'
import { MCP_METADATA_PATH, METADATA_PATH, proofAlgorithmsOf, publication } from './publication.js'
import { answerRecords, createRecordStore } from './record-store.js'
import { PUBLIC_ANSWER, type ResourceRoute, type ResourceServerPorts } from './settings.js'

/** The number of a conversation, by which its two logs can be compared (FAPI 1.0 Baseline §6.2.1-11). */
const INTERACTION = 'x-fapi-interaction-id'

/** The methods that scripts of other origins may use. The wildcard is for the methods that routes of the lab file name. */
const CROSS_ORIGIN_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, *'

/**
 * Makes the resource server (interface specification, "Protected resource access"; RFC 6750). `/resource` shows the
 * claims of any accepted token. `/public` needs no token. `/mcp` is an MCP server, a resource of its own.
 * @throws UsageError for a configured key or an issuer that cannot be used
 */
export function createResourceServer(settings: DefendedSettings, ports: ResourceServerPorts): Site {
  const { baseUrl, defences = STRICT } = settings
  const nonces = settings.dpopNonceRequired ? createDpopNonces(ports) : undefined
  const authenticate = createAuthenticator(settings, ports, nonces)
  const guard = createGuard({ authenticate, defences, baseUrl, now: ports.now })
  const records = createRecordStore(ports)
  const published = createRouter(publication(settings))
  const answers = {
    metadataUrl: `${baseUrl}${METADATA_PATH}`,
    mac: ports.macKeys !== undefined,
    algs: proofAlgorithmsOf(settings).join(' '),
  }
  const mcpAnswers = { ...answers, metadataUrl: `${baseUrl}${MCP_METADATA_PATH}` }
  const mcp = createMcpEndpoint({ baseUrl, guard, answers: mcpAnswers, records })
  const protectedPaths = routesByPath([...settings.routes, { path: '/resource' }])

  async function answer(request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
    const { path } = splitUrl(request.url)
    if (path === MCP_PATH) return withNonce(await mcp(request, context))
    const routes = protectedPaths.get(path)
    if (routes === undefined) return path === '/public' ? PUBLIC_ANSWER : published(request, context)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = routes.find(({ methods }) => methods === undefined || methods.includes(method))
    return route === undefined
      ? otherMethod(request, routes)
      : withNonce(await guarded(request, context, route))
  }

  const guarded = (request: HttpRequest, context: Context, route: ResourceRoute) =>
    guard(request, context, {
      route,
      answers,
      answer: access =>
        (route.path === '/records' && answerRecords(records, request, access)) || claimsAnswer(access),
    })

  /** Returns a response with the nonce for the next proof (RFC 9449 §9), when nonces are used. */
  function withNonce(response: HttpResponse): HttpResponse {
    if (nonces === undefined) return response
    return { ...response, headers: [...response.headers, ['dpop-nonce', nonces.current()]] }
  }

  async function handle(request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
    const response = await handled(request, context)
    const sent = header(request, INTERACTION) ?? ''
    const id = /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : uuidOf(ports.random(16))
    return { ...response, headers: [...response.headers, [INTERACTION, id]] }
  }

  async function handled(request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
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
  const open = withCrossOrigin({ methods: CROSS_ORIGIN_METHODS, exposed: INTERACTION }, handle)
  const forMcp = withMcpOrigins(baseUrl, handle)
  return {
    name: 'resource',
    handle: (request, context) => (splitUrl(request.url).path === MCP_PATH ? forMcp : open)(request, context),
  }
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
