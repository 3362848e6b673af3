import type { HttpRequest, HttpResponse } from '../../../protocol/http/message.js'
import type { RequestContext, Site } from '../../../protocol/http/site.js'
import { defined } from '../../../protocol/values.js'
import type { UserInfo } from '../shapes.js'
import { objectAnswer, warningHeaders } from './answer.js'
import { ApiError, refusal, unauthorized } from './api-error.js'
import { type ApiRequest, readApiRequest } from './api-request.js'
import { createAuthenticator } from './authenticator.js'
import type { Cluster } from './call.js'
import { answerCall } from './dispatch.js'
import type { ClusterEvent, Publish } from './events.js'
import { actionOf, forbidden } from './forbidden.js'
import { impersonated } from './impersonation.js'
import { openStreams } from './objects/line-stream.js'
import { decide } from './rbac/authorizer.js'
import { storedRbac } from './rbac/stored-rbac.js'
import type { ClusterPorts, ClusterSettings } from './settings.js'
import { addInitialObjects } from './store/initial-objects.js'
import { createStore, type Store } from './store/store.js'
import { randomUuid } from './uuid.js'

/**
 * A Kubernetes API server, as far as tokens of service accounts are concerned: it issues and reviews them, publishes
 * its keys, and keeps the objects that tokens are bound to. Requests are judged in the order of the real server:
 * authentication, authorization, then everything else.
 */
export function createCluster(settings: ClusterSettings, ports: ClusterPorts): Site<ClusterEvent> {
  let state: Store | undefined
  const store = () => {
    if (state === undefined) {
      state = createStore(ports)
      addInitialObjects(state, settings, ports.now())
    }
    return state
  }
  const authenticator = createAuthenticator(settings, ports, store)
  const cluster: Cluster = {
    settings,
    ports,
    authenticator,
    keyring: ports.keyring,
    rbac: storedRbac(store),
    watches: openStreams(),
    get store() {
      return store()
    },
  }

  async function answer(request: ApiRequest, publish: Publish, warnings: string[]): Promise<HttpResponse> {
    /** Publishes why a request is refused. The client does not learn the reason of a 401. */
    const refuse = (error: ApiError, user?: UserInfo, why?: string): ApiError => {
      publish(requestRefused(error, request, user, why))
      return error
    }

    const sender = await authenticator.request(request)
    if (!sender.ok) throw refuse(unauthorized(), undefined, sender.error)
    if (sender.warning !== undefined) warnings.push(sender.warning)
    let { user } = sender
    try {
      const other = impersonated(cluster.rbac, user, request)
      if (other !== undefined) {
        const { username = '', groups = [] } = other
        publish({ type: 'cluster.impersonated', username, groups, by: user.username ?? '' })
        user = other
      }
      const { allowed, reason } = decide(cluster.rbac, user, actionOf(request))
      if (!allowed) throw forbidden(user, request, reason)
      return await answerCall(cluster, { request, user, publish, warnings })
    } catch (error) {
      throw error instanceof ApiError ? refuse(error, user) : error
    }
  }

  async function handle(http: HttpRequest, { publish }: RequestContext<ClusterEvent>): Promise<HttpResponse> {
    const request = readApiRequest(http)
    const warnings: string[] = []
    let response: HttpResponse
    try {
      response = await answer(request, publish, warnings)
    } catch (error) {
      const refused = error instanceof ApiError ? error : failure(request, error, publish)
      response = refusedAnswer(request, refused)
    }
    const headers = [
      ['audit-id', randomUuid(ports.random)] as const,
      ...response.headers,
      ...warningHeaders(warnings),
    ]
    return { ...response, headers }
  }

  function failure(request: ApiRequest, error: unknown, publish: Publish): ApiError {
    const description = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
    publish({ type: 'server.failed', site: 'cluster', path: request.sentPath, description })
    return refusal(500, 'InternalError', 'Internal error occurred: the server failed to answer this request')
  }

  return { name: 'cluster', handle }
}

function refusedAnswer(request: ApiRequest, { status, headers }: ApiError): HttpResponse {
  const answered = objectAnswer(request, status.code, status)
  const safe = status.code === 403 ? [['x-content-type-options', 'nosniff'] as const] : []
  return { ...answered, headers: [...answered.headers, ...safe, ...headers] }
}

function requestRefused(
  { status: { code, reason = '', message = '' } }: ApiError,
  { http: { method }, sentPath: path }: ApiRequest,
  user: UserInfo | undefined,
  why: string | undefined,
): ClusterEvent {
  return defined({
    type: 'cluster.request_refused',
    status: code,
    reason,
    message,
    why,
    by: user?.username,
    method,
    path,
  })
}
