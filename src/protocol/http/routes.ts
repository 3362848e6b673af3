import type { HttpRequest, HttpResponse } from './message.js'
import { splitUrl, textResponse } from './message.js'
import type { Handle, RequestContext } from './site.js'

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
    if (handler) return handler(request, context, parameters)
    const allow = allowOf(route)
    return (
      route.otherMethod?.(request, allow) ??
      textResponse(405, `${request.method} is not allowed here. Allowed: ${allow}\n`, [['allow', allow]])
    )
  }
}
