import { type HttpResponse, header, splitUrl } from '../../http/message.js'
import type { Handle } from '../../http/site.js'

const preflight: HttpResponse = {
  status: 204,
  headers: [
    ['access-control-allow-origin', '*'],
    ['access-control-allow-methods', 'GET, POST'],
    // The wildcard does not cover Authorization (Fetch standard, "CORS non-wildcard request-header name").
    ['access-control-allow-headers', 'Authorization, Content-Type, DPoP, *'],
    ['access-control-max-age', '600'],
  ],
  body: new Uint8Array(),
}

/**
 * Lets scripts of any origin read the responses of some paths, errors included. This is safe because these endpoints
 * take no credentials from cookies.
 */
export function withCrossOrigin(paths: ReadonlySet<string>, handle: Handle): Handle {
  return async (request, context) => {
    if (!paths.has(splitUrl(request.url).path)) return handle(request, context)
    if (request.method === 'OPTIONS' && header(request, 'origin') !== undefined) return preflight
    const response = await handle(request, context)
    return {
      ...response,
      headers: [
        ...response.headers,
        ['access-control-allow-origin', '*'],
        ['access-control-expose-headers', 'WWW-Authenticate, DPoP-Nonce, Retry-After'],
      ],
    }
  }
}
