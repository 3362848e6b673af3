import { type HttpRequest, type HttpResponse, splitUrl } from '../../../protocol/http/message.js'
import { noRoute, noSuchIdentifier, refusal } from './answers.js'
import type { Publish } from './events.js'
import type { ZoneState } from './zones.js'

/** The kind of credentials in a request. */
export type Credentials = 'key' | 'token'

/** A request that passed the rate limit and the credentials, and matches a route. */
export interface Call {
  readonly request: HttpRequest
  readonly publish: Publish
  readonly query: URLSearchParams
  readonly credentials: Credentials
  /** The identifiers in the path, by the names in the route. */
  readonly ids: { readonly [name: string]: string }
  /** The zone of the path. Routes without `:zone` have none. */
  readonly state: ZoneState
}

/** The handler of one method of a route. @throws Refusal */
type Answer = (call: Call) => HttpResponse | Promise<HttpResponse>

/** The handlers by path and method. `:name` is an identifier of 32 hexadecimal digits, `*name` any word. */
export interface ApiRoutes {
  readonly [path: string]: { readonly [method: string]: Answer }
}

interface Pattern {
  readonly segments: readonly string[]
  readonly methods: { readonly [method: string]: Answer }
}

const identifier = /^[0-9a-f]{32}$/i

type Match = { readonly ids: Record<string, string>; readonly malformed: boolean }

function match(pattern: Pattern, segments: readonly string[]): Match | undefined {
  if (pattern.segments.length !== segments.length) return undefined
  const ids: Record<string, string> = {}
  let malformed = false
  for (const [i, wanted] of pattern.segments.entries()) {
    const segment = segments[i]!
    if (/^[:*]/.test(wanted)) {
      ids[wanted.slice(1)] = segment
      malformed ||= wanted.startsWith(':') && !identifier.test(segment)
    } else if (wanted !== segment) return undefined
  }
  return { ids, malformed }
}

/**
 * Creates a router from a table. It answers 404 for an unknown route or a malformed identifier, 403 for an unknown zone, and 405 for another method.
 */
export function createApi(routes: ApiRoutes, zones: ReadonlyMap<string, ZoneState>) {
  const patterns: Pattern[] = Object.entries(routes).map(([path, methods]) => ({
    segments: path.split('/'),
    methods,
  }))

  function find(path: string): Match & { readonly pattern: Pattern } {
    const segments = path.split('/')
    for (const pattern of patterns) {
      const found = match(pattern, segments)
      if (found) return { ...found, pattern }
    }
    throw noRoute()
  }

  /** Routes a request. @param path below the prefix, without a final slash */
  return async (
    call: Pick<Call, 'request' | 'publish' | 'credentials'>,
    path: string,
  ): Promise<HttpResponse> => {
    const { request } = call
    const { pattern, ids, malformed } = find(path)
    const { path: whole, query } = splitUrl(request.url)
    if (malformed) throw noSuchIdentifier(whole)
    const state = zones.get((ids.zone ?? '').toLowerCase())
    if (ids.zone !== undefined && state === undefined) throw refusal(403, 10000, 'Authentication error')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const answer = Object.hasOwn(pattern.methods, method) ? pattern.methods[method] : undefined
    if (answer === undefined) {
      const allow = Object.keys(pattern.methods).join(', ')
      throw refusal(405, 10405, `Method not allowed: ${allow} is.`, [['allow', allow]])
    }
    // Routes without `:zone` do not read the state.
    return answer({ ...call, query: new URLSearchParams(query), ids, state: state as ZoneState })
  }
}
