import type { HttpResponse } from '../../../../protocol/http/message.js'
import { objectAnswer } from '../answer.js'
import { conflict } from '../api-error.js'
import { bodyForm, decodeBody } from '../body.js'
import type { Call, CallHandler, Cluster } from '../call.js'
import { readCreateOptions } from '../create-options.js'
import { apiVersionOf } from '../kinds.js'
import type { Resource } from '../resources.js'
import type { StoredObject } from '../store/model.js'
import { apiTime } from '../times.js'
import { afterRemoval } from './controllers.js'
import { matcherOf } from './selectors.js'
import { changed, found, placeOf, stored } from './stored.js'

/** The options of a deletion (meta/v1 DeleteOptions). */
interface DeleteOptions {
  readonly dryRun?: readonly string[]
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | null
}

async function deleteOptions({ request }: Call): Promise<DeleteOptions> {
  const form = bodyForm(request)
  if (request.http.body.length === 0) return {}
  const kind = { group: '', version: 'v1', kind: 'DeleteOptions' }
  return (await decodeBody(request, form, kind, 'Ignore')).object as DeleteOptions
}

/** Kinds whose deletion is answered with the deleted object. Other deletions are answered with a Status. */
const ANSWERED_BY_OBJECT: readonly string[] = ['Namespace', 'Pod', 'Service', 'ServiceAccount']

function checkPreconditions(
  resource: Resource,
  { metadata }: StoredObject,
  { preconditions }: DeleteOptions,
): void {
  const { name, uid, resourceVersion } = metadata
  const wanted = preconditions?.uid
  if (wanted !== undefined && wanted !== uid) {
    throw conflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${uid}`,
    )
  }
  const version = preconditions?.resourceVersion
  if (version !== undefined && version !== resourceVersion) {
    throw conflict(
      resource,
      name,
      `Precondition failed: ResourceVersion in precondition: ${version}, ResourceVersion in object meta: ${resourceVersion}`,
    )
  }
}

/**
 * Removes an object with everything that depends on it. An object with finalizers is only marked: it goes with the last finalizer.
 */
export function removeObject(
  cluster: Cluster,
  call: Pick<Call, 'publish' | 'user'>,
  resource: Resource,
  object: StoredObject,
): StoredObject {
  const { store, ports } = cluster
  const { name, namespace = '', finalizers = [] } = object.metadata
  if (finalizers.length > 0) {
    if (object.metadata.deletionTimestamp !== undefined) return object
    const marks = { deletionTimestamp: apiTime(ports.now()), deletionGracePeriodSeconds: 0 }
    const marked = store.replace(stored(resource), { ...object, metadata: { ...object.metadata, ...marks } })
    if (marked !== undefined) changed(cluster, call, 'cluster.object_updated', marked)
    return marked ?? object
  }
  const removed = store.remove(stored(resource), placeOf(resource, namespace), name)
  if (removed === undefined) return object
  changed(cluster, call, 'cluster.object_deleted', removed)
  afterRemoval(cluster, call, removed)
  return object
}

/** Returns the handler that deletes an object; a namespace with everything in it. */
export function deleteObject(resource: Resource): CallHandler {
  return async (cluster, call): Promise<HttpResponse> => {
    const options = await deleteOptions(call)
    const { dryRun } = readCreateOptions(call.request)
    const object = found(cluster, call, resource)
    checkPreconditions(resource, object, options)
    const isDry = dryRun || (options.dryRun?.length ?? 0) > 0
    const left = isDry ? object : removeObject(cluster, call, resource, object)
    if (ANSWERED_BY_OBJECT.includes(resource.kind) || left !== object) {
      return objectAnswer(call.request, 200, left)
    }
    const { name, uid } = object.metadata
    const details = {
      name,
      ...(resource.group !== '' && { group: resource.group }),
      kind: resource.name,
      uid,
    }
    return objectAnswer(call.request, 200, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details,
    })
  }
}

/** Returns the handler that deletes the selected objects of a namespace, or of a resource without namespaces. */
export function deleteObjects(resource: Resource): CallHandler {
  return async (cluster, call): Promise<HttpResponse> => {
    const { store } = cluster
    const options = await deleteOptions(call)
    const { dryRun } = readCreateOptions(call.request)
    const inside = resource.namespaced ? call.resource.namespace : undefined
    const objects = store.list(stored(resource), inside).filter(matcherOf(call.request.query, resource.kind))
    if (!dryRun && !options.dryRun?.length) {
      for (const each of objects) removeObject(cluster, call, resource, each)
    }
    return objectAnswer(call.request, 200, {
      kind: `${resource.kind}List`,
      apiVersion: apiVersionOf(resource),
      metadata: { resourceVersion: String(store.version()) },
      items: objects,
    })
  }
}
