import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  jsonResponse,
} from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { challenge } from '../../../protocol/oauth/bearer.js'
import { errorParameters, OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Publish } from '../events.js'
import { jsonError } from './client-endpoint.js'
import type { Fault, FaultEndpoint, FaultError } from './fault-list.js'

/** The injected faults that are left. */
export interface Faults {
  /** Returns the error to answer this request with; undefined when no fault is left. */
  take(endpoint: FaultEndpoint, publish: Publish): OAuthError<FaultError> | undefined
}

/** Makes the faults. Those of one endpoint are used up in the order of the list. The list may change meanwhile. */
export function createFaults(faults: readonly Fault[]): Faults {
  const used = new WeakMap<Fault, number>()
  const leftOf = (fault: Fault): number => fault.times - (used.get(fault) ?? 0)
  return {
    take(endpoint, publish) {
      const fault = faults.find(each => each.endpoint === endpoint && leftOf(each) > 0)
      if (fault === undefined) return undefined
      used.set(fault, (used.get(fault) ?? 0) + 1)
      const { error } = fault
      const left = leftOf(fault)
      publish({
        type: 'fault.injected',
        endpoint,
        error,
        left: Number.isFinite(left) ? left : 'always',
      })
      return new OAuthError(error, {
        description: `${error} was injected as a fault`,
        rule: 'serve --fail',
      })
    },
  }
}

/** Value of Retry-After, in seconds. */
const RETRY_AFTER = 1

function statusOf(error: OAuthError<FaultError>, request: HttpRequest): number {
  switch (error.code) {
    case 'server_error':
      return 500
    case 'temporarily_unavailable':
      return 503
    case 'invalid_token':
      return 401
    case 'insufficient_scope':
      return 403
    case 'invalid_client':
      return header(request, 'authorization') === undefined ? 400 : 401
    default:
      return 400
  }
}

function faultAnswer(
  endpoint: FaultEndpoint,
  error: OAuthError<FaultError>,
  request: HttpRequest,
): HttpResponse {
  const status = statusOf(error, request)
  const retry: HeaderList = status === 503 ? [['retry-after', String(RETRY_AFTER)]] : []
  if (endpoint !== 'userinfo') return jsonError(error, status, retry)
  const said = errorParameters(error)
  const authenticate = challenge('Bearer', [['realm', 'oauth-lab'], ...said])
  return jsonResponse(status, Object.fromEntries(said), [
    ...(status < 500 ? ([['www-authenticate', authenticate]] as const) : []),
    ['cache-control', 'no-store'],
    ...retry,
  ])
}

/** Makes a route that fails when a fault is left. A failed request has no effect, so its code or token stays valid. */
export function withFaults(
  endpoint: Exclude<FaultEndpoint, 'authorization'>,
  route: Route,
  faults: Faults,
): Route {
  const methods = Object.entries(route.methods).map(([method, handler]): [string, typeof handler] => [
    method,
    (request, context, parameters) => {
      const error = faults.take(endpoint, context.publish)
      return error ? faultAnswer(endpoint, error, request) : handler(request, context, parameters)
    },
  ])
  return { ...route, methods: Object.fromEntries(methods) }
}
