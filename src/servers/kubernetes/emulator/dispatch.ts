import type { HttpResponse } from '../../../protocol/http/message.js'
import { accepts } from './accept.js'
import { reviewLocalSubject, reviewOwnAccess, reviewSubject } from './access-reviews.js'
import { plainAnswer } from './answer.js'
import { MEDIA_TYPES, notAcceptable, unknownMethod, unknownResource } from './api-error.js'
import type { RequestedResource } from './api-request.js'
import type { Call, CallHandler, Cluster } from './call.js'
import { createObject } from './objects/create-object.js'
import { deleteObject, deleteObjects } from './objects/delete-object.js'
import { patchObject } from './objects/patch-object.js'
import { getObject, listObjects } from './objects/read-objects.js'
import { replaceObject } from './objects/save-object.js'
import { watchObjects } from './objects/watch.js'
import { answerPath } from './paths.js'
import { GROUPS, RESOURCES, type Resource, servedIn } from './resources.js'
import { reviewRules, reviewSelf } from './self-reviews.js'
import { requestToken } from './token-request.js'
import { reviewToken } from './token-review.js'

/** The handlers that create objects of a kind; other kinds are kept in the store. */
const CREATORS: Readonly<Record<string, CallHandler>> = {
  TokenRequest: requestToken,
  TokenReview: reviewToken,
  SelfSubjectReview: reviewSelf,
  SelfSubjectAccessReview: reviewOwnAccess,
  SubjectAccessReview: reviewSubject,
  LocalSubjectAccessReview: reviewLocalSubject,
  SelfSubjectRulesReview: reviewRules,
}

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
  const verbs = new Map<string, CallHandler>()
  if (creator !== undefined) {
    // The path of a review has no name. The path of a subresource has the name of its owner.
    const meant = (name === '') === (resource.subresource === undefined)
    if (meant && (!resource.namespaced || namespace !== '')) verbs.set('create', creator)
    return verbs
  }
  const served = (verb: string, handler: CallHandler) => {
    if (resource.verbs.includes(verb)) verbs.set(verb, (cluster, call) => handler(cluster, call))
  }
  if (name !== '') {
    served('get', getObject(resource))
    served('delete', deleteObject(resource))
    served('update', replaceObject(resource))
    served('patch', patchObject(resource))
    return verbs
  }
  served('list', listObjects(resource))
  served('watch', watchObjects(resource))
  if (resource.namespaced && namespace === '') return verbs
  served('create', createObject(resource))
  served('deletecollection', deleteObjects(resource))
  return verbs
}

/**
 * Answers a request that is authorized.
 * @throws ApiError
 */
export async function answerCall(cluster: Cluster, caller: Omit<Call, 'resource'>): Promise<HttpResponse> {
  const { request } = caller
  const { resource: asked, verb } = request
  if (asked === undefined) return answerPath(cluster, request)
  const resource = RESOURCES.find(each => isMeant(each, asked))
  const verbs = resource === undefined ? new Map<string, CallHandler>() : verbsOf(resource, asked)
  if (verbs.size === 0) {
    if (isServed(asked)) throw unknownResource()
    return plainAnswer(404, '404 page not found\n')
  }
  const handler = request.http.method === 'HEAD' ? undefined : verbs.get(verb)
  if (handler === undefined)
    throw unknownMethod([...new Set([...verbs.keys()].map(each => METHODS[each] ?? each))])
  if (!accepts(request.http, MEDIA_TYPES)) throw notAcceptable()
  return handler(cluster, { ...caller, resource: asked })
}

/** True for a path in an API group that is served here. */
function isServed({ group, version }: RequestedResource): boolean {
  return group === '' ? version === 'v1' : GROUPS.some(each => each.group === group)
}
