import { openStreams } from '../../../protocol/http/line-stream.js'
import type { HttpRequest, HttpResponse } from '../../../protocol/http/message.js'
import type { RequestContext, Site } from '../../../protocol/http/site.js'
import { defined } from '../../../protocol/values.js'
import type { UserInfo } from '../shapes.js'
import { accepts, objectAnswer, plainAnswer, warningHeaders } from './answer.js'
import {
  ApiError,
  forbidden,
  MEDIA_TYPES,
  notAcceptable,
  refusal,
  unauthorized,
  unknownMethod,
  unknownResource,
} from './api-error.js'
import { type ApiRequest, type RequestedResource, readApiRequest } from './api-request.js'
import { createAuthenticator } from './authenticator.js'
import type { Call, CallHandler, Cluster } from './call.js'
import { answerPath } from './discovery.js'
import type { ClusterEvent } from './events.js'
import { impersonated } from './impersonation.js'
import { patchObject } from './objects/patch-objects.js'
import { getObject, listObjects } from './objects/read-objects.js'
import { watchObjects } from './objects/watch-objects.js'
import { createObject, deleteObject, deleteObjects, replaceObject } from './objects/write-objects.js'
import { type Action, decide } from './rbac/authorizer.js'
import { ISSUER_PATHS, storedRbac } from './rbac/built-in-roles.js'
import { GROUPS, RESOURCES, type Resource, servedIn } from './resources.js'
import { reviewAccess, reviewRules, reviewSelf, reviewToken } from './reviews.js'
import type { ClusterPorts, ClusterSettings } from './settings.js'
import { addInitialObjects } from './store/initial-objects.js'
import { createStore, randomUuid, type Store } from './store/store.js'
import { requestToken } from './token-request.js'

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
  const cluster: Cluster = {
    settings,
    ports,
    authenticator: createAuthenticator(settings, ports, store),
    rbac: storedRbac(store),
    watches: openStreams(),
    get store() {
      return store()
    },
  }

  async function answer(caller: Omit<Call, 'asked' | 'resource' | 'user'>): Promise<HttpResponse> {
    const { request, publish, warnings } = caller
    /** Publishes why a request is refused. The client does not learn the reason of a 401. */
    const refuse = (error: ApiError, user?: UserInfo, why?: string): ApiError => {
      publish(requestRefused(error, request, user, why))
      return error
    }

    const sender = await cluster.authenticator.request(request)
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
      const { wanted, shown } = actionOf(request)
      const { allowed, reason } = decide(cluster.rbac, user, wanted)
      if (!allowed) throw forbidden(user, shown, reason)
      return await answerCall({ ...caller, user })
    } catch (error) {
      throw error instanceof ApiError ? refuse(error, user) : error
    }
  }

  async function handle(http: HttpRequest, { publish }: RequestContext<ClusterEvent>): Promise<HttpResponse> {
    const request = readApiRequest(http)
    const warnings: string[] = []
    let response: HttpResponse
    try {
      response = await answer({ cluster, request, publish, warnings })
    } catch (error) {
      response = refusedAnswer(request, error instanceof ApiError ? error : failure(error, request, publish))
    }
    const audit = ['audit-id', randomUuid(ports.random)] as const
    return { ...response, headers: [audit, ...response.headers, ...warningHeaders(warnings)] }
  }

  return { name: 'cluster', handle }
}

function failure(error: unknown, request: ApiRequest, publish: Call['publish']): ApiError {
  const description = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
  publish({ type: 'server.failed', site: 'cluster', path: request.sentPath, description })
  return refusal(500, 'InternalError', 'Internal error occurred: the server failed to answer this request')
}

function refusedAnswer(request: ApiRequest, { status, headers }: ApiError): HttpResponse {
  const answered = objectAnswer(request, status.code, status)
  const safe = status.code === 403 ? [['x-content-type-options', 'nosniff'] as const] : []
  return { ...answered, headers: [...answered.headers, ...safe, ...headers] }
}

function requestRefused(
  { status: { code: status, reason = '', message = '' } }: ApiError,
  { http: { method }, sentPath: path }: ApiRequest,
  user: UserInfo | undefined,
  why: string | undefined,
): ClusterEvent {
  const type = 'cluster.request_refused'
  return defined({ type, status, reason, message, why, by: user?.username, method, path })
}

/**
 * The action of a request, and the action that a refusal shows. A user who may read the documents of the issuer gets the answer that
 * the method is wrong.
 */
function actionOf({ verb, path, sentPath, resource }: ApiRequest): { wanted: Action; shown: Action } {
  if (resource === undefined) {
    const wanted = { verb: ISSUER_PATHS.includes(path) ? 'get' : verb, path }
    return { wanted, shown: { verb, path: sentPath } }
  }
  const { group, namespace, resource: name, subresource, selected } = resource
  const action = { verb, group, namespace, resource: name, subresource, name: resource.name || selected }
  return { wanted: action, shown: action }
}

/** The handlers that create objects of a kind; other kinds are kept in the store. */
const CREATORS: Readonly<Record<string, CallHandler>> = {
  TokenRequest: requestToken,
  TokenReview: reviewToken,
  SelfSubjectReview: reviewSelf,
  SelfSubjectAccessReview: reviewAccess,
  SubjectAccessReview: reviewAccess,
  LocalSubjectAccessReview: reviewAccess,
  SelfSubjectRulesReview: reviewRules,
}

/** The handlers of stored objects by verb: those of one object, of any collection, and of one in a single namespace. */
const ONE = { get: getObject, delete: deleteObject, update: replaceObject, patch: patchObject }
const COLLECTION = { list: listObjects, watch: watchObjects }
const INSIDE = { create: createObject, deletecollection: deleteObjects }

const METHODS: Readonly<Record<string, string>> = {
  create: 'POST',
  delete: 'DELETE',
  deletecollection: 'DELETE',
  get: 'GET',
  list: 'GET',
  patch: 'PATCH',
  update: 'PUT',
  watch: 'GET',
}

/** True when a path names a resource. The path of a namespaced resource needs a namespace, except for a list. */
function isMeant(resource: Resource, asked: RequestedResource): boolean {
  const { group, version } = servedIn(resource)
  if (group !== asked.group || version !== asked.version) return false
  if (resource.name !== asked.resource || (resource.subresource ?? '') !== asked.subresource) return false
  if (asked.rest.length > 0) return false
  if (resource.name === 'namespaces') return true
  // A list without a namespace has the objects of all namespaces.
  return resource.namespaced ? asked.name === '' || asked.namespace !== '' : asked.namespace === ''
}

/** The verbs of a path with their handlers. */
function verbsOf(resource: Resource, { name, namespace }: RequestedResource): Map<string, CallHandler> {
  const creator = CREATORS[resource.kind]
  const everywhere = resource.namespaced && namespace === ''
  if (creator !== undefined) {
    // The path of a review has no name. The path of a subresource has the name of its owner.
    const meant = (name === '') === (resource.subresource === undefined)
    return new Map(meant && !everywhere ? [['create', creator]] : [])
  }
  const handlers: Readonly<Record<string, CallHandler>> =
    name !== '' ? ONE : everywhere ? COLLECTION : { ...COLLECTION, ...INSIDE }
  return new Map(Object.entries(handlers).filter(([verb]) => resource.verbs.includes(verb)))
}

/** Answers a request that is authorized. @throws ApiError */
async function answerCall(caller: Omit<Call, 'asked' | 'resource'>): Promise<HttpResponse> {
  const { cluster, request } = caller
  const { resource: asked, verb } = request
  if (asked === undefined) return answerPath(cluster, request)
  const resource = RESOURCES.find(each => isMeant(each, asked))
  const verbs = resource && verbsOf(resource, asked)
  if (verbs === undefined || verbs.size === 0) {
    if (isServed(asked)) throw unknownResource()
    return plainAnswer(404, '404 page not found\n')
  }
  const handler = request.http.method === 'HEAD' ? undefined : verbs.get(verb)
  if (resource === undefined || handler === undefined) {
    throw unknownMethod([...new Set([...verbs.keys()].map(each => METHODS[each] ?? each))])
  }
  if (!accepts(request.http, MEDIA_TYPES)) throw notAcceptable()
  return handler({ ...caller, resource, asked })
}

/** True for a path in an API group that is served here. */
function isServed({ group, version }: RequestedResource): boolean {
  return group === '' ? version === 'v1' : GROUPS.some(each => each.group === group)
}
