import { type HttpRequest, type HttpResponse, header, splitUrl, textResponse } from './message.js'

/** The shape of any event. Each site declares its own union. */
type SomeEvent = { readonly type: string }

/** The context of a request, beside its message. A site that declares its events can publish no others. */
export interface RequestContext<Event extends SomeEvent = SomeEvent> {
  /** Publishes an event that this request caused. The event carries the request's id. */
  readonly publish: (event: Event) => void
}

/** A server: a function from a request to its response. */
export type Handle<Event extends SomeEvent = SomeEvent> = (
  request: HttpRequest,
  context: RequestContext<Event>,
) => Promise<HttpResponse>

/** A mounted server: what the lab puts on a listener. Recording, events and dashboard come with the mounting. */
export interface Site<Event extends SomeEvent = SomeEvent> {
  /** Short and stable, such as `authorization`; events name it. */
  readonly name: string
  readonly handle: Handle<Event>
}

/** Path parameters of a matched route, percent-decoded. */
export type PathParameters = { readonly [name: string]: string }

/** Answers one method of one path. */
export type RouteHandler = (
  request: HttpRequest,
  context: RequestContext,
  parameters: PathParameters,
) => Promise<HttpResponse> | HttpResponse

/** One row of a site's route table. `path` is a literal, or has `:name` segments. */
export interface Route {
  readonly path: string
  /** Handlers by method. The GET handler also answers HEAD; the adapter leaves out the body. */
  readonly methods: { readonly [method: string]: RouteHandler }
  /** Answers every other method. Default: 405 text/plain. `allow` is the value of the Allow header. */
  readonly otherMethod?: (request: HttpRequest, allow: string) => HttpResponse
}

interface Pattern {
  readonly segments: readonly string[]
  readonly route: Route
}

function matchPattern(pattern: Pattern, segments: readonly string[]): PathParameters | undefined {
  if (pattern.segments.length !== segments.length) return undefined
  const found: Record<string, string> = Object.create(null)
  for (const [i, wanted] of pattern.segments.entries()) {
    const segment = segments[i]!
    if (!wanted.startsWith(':')) {
      if (wanted !== segment) return undefined
      continue
    }
    try {
      found[wanted.slice(1)] = decodeURIComponent(segment)
    } catch {
      return undefined
    }
  }
  return found
}

/** Returns the methods of a route, with HEAD after GET. */
function allowOf(route: Route): string {
  return Object.keys(route.methods)
    .flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
}

/** Makes a server from a route table. Literal paths come first, then patterns in order, then 404 text/plain. */
export function createRouter(routes: readonly Route[]): Handle {
  const literal = new Map<string, Route>()
  const patterns: Pattern[] = []
  for (const route of routes) {
    if (route.path.includes(':')) patterns.push({ segments: route.path.split('/'), route })
    else literal.set(route.path, route)
  }
  const find = (path: string): { route: Route; parameters: PathParameters } | undefined => {
    const exact = literal.get(path)
    if (exact) return { route: exact, parameters: {} }
    const segments = path.split('/')
    for (const pattern of patterns) {
      const parameters = matchPattern(pattern, segments)
      if (parameters) return { route: pattern.route, parameters }
    }
    return undefined
  }
  return async (request, context) => {
    const found = find(splitUrl(request.url).path)
    if (!found) return textResponse(404, 'Not found\n')
    const { route, parameters } = found
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const handler = Object.hasOwn(route.methods, method) ? route.methods[method] : undefined
    if (handler) return await handler(request, context, parameters)
    const allow = allowOf(route)
    return (
      route.otherMethod?.(request, allow) ??
      textResponse(405, `${request.method} is not allowed here. Allowed: ${allow}\n`, [['allow', allow]])
    )
  }
}

/** The requests that scripts of other origins may send. */
export interface CrossOriginAccess {
  /** The methods, as `access-control-allow-methods` lists them. */
  readonly methods: string
  /** Further response headers that scripts may read, separated by commas. Left out: none. */
  readonly exposed?: string
  /** Left out: all paths. */
  readonly paths?: Pick<ReadonlySet<string>, 'has'>
  /** True for a response that scripts may not read. Left out: they may read every one. */
  readonly hides?: (response: HttpResponse, context: RequestContext) => boolean
}

function isPreflight(request: HttpRequest): boolean {
  const asks = (name: string) => header(request, name) !== undefined
  return request.method === 'OPTIONS' && asks('origin') && asks('access-control-request-method')
}

/**
 * Lets scripts of any origin call a server and read its responses, errors included (CORS, Fetch standard). This is safe
 * only for paths that take no credentials from cookies: there a script can only send a token that it already holds.
 */
export function withCrossOrigin(
  { methods, paths, exposed, hides }: CrossOriginAccess,
  handle: Handle,
): Handle {
  const usual = 'WWW-Authenticate, DPoP-Nonce, Retry-After'
  const exposedHeaders = exposed === undefined ? usual : `${usual}, ${exposed}`
  const preflight: HttpResponse = {
    status: 204,
    headers: [
      ['access-control-allow-origin', '*'],
      ['access-control-allow-methods', methods],
      // The wildcard does not cover Authorization (Fetch standard, "CORS non-wildcard request-header name").
      ['access-control-allow-headers', 'Authorization, Content-Type, DPoP, *'],
      ['access-control-max-age', '600'],
      ['x-content-type-options', 'nosniff'],
    ],
    body: new Uint8Array(),
  }
  const open: Handle = async (request, context) => {
    if (isPreflight(request)) return preflight
    const response = await handle(request, context)
    if (hides?.(response, context)) return response
    return {
      ...response,
      headers: [
        ...response.headers,
        ['access-control-allow-origin', '*'],
        ['access-control-expose-headers', exposedHeaders],
      ],
    }
  }
  return (request, context) =>
    paths?.has(splitUrl(request.url).path) === false ? handle(request, context) : open(request, context)
}
