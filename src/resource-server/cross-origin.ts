import { type HttpRequest, type HttpResponse, header } from '../http/message.js'
import type { Handle } from '../http/site.js'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

function isPreflight(request: HttpRequest): boolean {
  const asks = (name: string) => header(request, name) !== undefined
  return request.method === 'OPTIONS' && asks('origin') && asks('access-control-request-method')
}

const preflight: HttpResponse = {
  status: 204,
  headers: [
    ['access-control-allow-origin', '*'],
    ['access-control-allow-methods', `${METHODS}, *`],
    // The wildcard does not cover Authorization (Fetch standard, "CORS non-wildcard request-header name").
    ['access-control-allow-headers', 'Authorization, Content-Type, DPoP, *'],
    ['access-control-max-age', '600'],
  ],
  body: new Uint8Array(),
}

/**
 * Lets scripts of any origin call this server and read every response, errors included. This is safe because the
 * server takes no token from a cookie: a script can only send a token that it already holds.
 */
export function withCrossOrigin(handle: Handle): Handle {
  return async (request, context) => {
    if (isPreflight(request)) return preflight
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
