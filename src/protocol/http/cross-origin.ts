import { type HttpRequest, type HttpResponse, header, splitUrl } from './message.js'
import type { Handle } from './site.js'

/** The requests that scripts of other origins may send. */
export interface CrossOriginAccess {
  /** The methods, as `access-control-allow-methods` lists them. */
  readonly methods: string
  /** Further response headers that scripts may read, separated by commas. Left out: none. */
  readonly exposed?: string
  /** Left out: all paths. */
  readonly paths?: Pick<ReadonlySet<string>, 'has'>
}

function isPreflight(request: HttpRequest): boolean {
  const asks = (name: string) => header(request, name) !== undefined
  return request.method === 'OPTIONS' && asks('origin') && asks('access-control-request-method')
}

/**
 * Lets scripts of any origin call a server and read every response, errors included (CORS, Fetch standard). This is safe
 * only for paths that take no credentials from cookies: there a script can only send a token that it already holds.
 */
export function withCrossOrigin({ methods, paths, exposed }: CrossOriginAccess, handle: Handle): Handle {
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
  return async (request, context) => {
    if (paths?.has(splitUrl(request.url).path) === false) return handle(request, context)
    if (isPreflight(request)) return preflight
    const response = await handle(request, context)
    return {
      ...response,
      headers: [
        ...response.headers,
        ['access-control-allow-origin', '*'],
        ['access-control-expose-headers', exposedHeaders],
      ],
    }
  }
}
