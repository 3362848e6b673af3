import { defined } from '../../defined.js'
import type { HttpResponse } from '../../http/message.js'
import type { ApiObject } from '../shapes.js'
import { preferredForm } from './accept.js'
import { objectAnswer } from './answer.js'
import { type ApiError, alreadyExists, conflict, invalid, notFound, refusal } from './api-error.js'
import { bodyForm, decodeBody } from './body.js'
import { type Call, type CallHandler, type Cluster, readCreated } from './call.js'
import { readCreateOptions } from './create-options.js'
import { apiVersionOf } from './kinds.js'
import { managedFields } from './managed-fields.js'
import { generatedName, nameProblems } from './object-names.js'
import type { Resource } from './resources.js'
import { selected } from './selectors.js'
import { type NewObject, type StoredObject, type StoredResource, withDefaults } from './store.js'
import { TABLE_FORMS, tableOf } from './table.js'
import { apiTime } from './times.js'

// The handlers of stored objects: list, get, create, delete.

const stored = (resource: Resource): StoredResource => resource.name as StoredResource

/** The namespace under which the store keeps an object: empty for a resource without namespaces. */
const placeOf = (resource: Resource, namespace: string): string => (resource.namespaced ? namespace : '')

/** Answers with an object or a list, or with its table when the client prefers one. */
function readAnswer(
  { ports }: Cluster,
  call: Call,
  resource: Resource,
  object: object,
  rows: StoredObject[],
) {
  const form = preferredForm(call.request.http, TABLE_FORMS)
  if (form === undefined) return objectAnswer(call.request, 200, object)
  const { metadata } = object as ApiObject
  const apiVersion = form.split(' ')[0]!
  const includes = call.request.query.get('includeObject') ?? 'Metadata'
  return objectAnswer(
    call.request,
    200,
    tableOf({
      resource,
      rows,
      now: ports.now(),
      apiVersion,
      includes,
      version: metadata?.resourceVersion ?? '',
    }),
  )
}

/** Returns the handler that lists the objects of a resource, in one namespace or in all. */
export function listObjects(resource: Resource): CallHandler {
  return (cluster, call) => {
    const { namespace } = call.resource
    const inside = resource.namespaced && namespace !== '' ? namespace : undefined
    const rows = selected(cluster.store.list(stored(resource), inside), call.request.query)
    const items = rows.map(({ kind: _kind, apiVersion: _version, ...item }) => item)
    const list = {
      kind: `${resource.kind}List`,
      apiVersion: apiVersionOf(resource),
      metadata: { resourceVersion: cluster.store.version() },
      items,
    }
    return readAnswer(cluster, call, resource, list, rows)
  }
}

function found({ store }: Cluster, { resource: asked }: Call, resource: Resource): StoredObject {
  const object = store.get(stored(resource), placeOf(resource, asked.namespace), asked.name)
  if (object === undefined) throw notFound(resource, asked.name)
  return object
}

/** Returns the handler that answers with one object. */
export function getObject(resource: Resource): CallHandler {
  return (cluster, call) => {
    const object = found(cluster, call, resource)
    return readAnswer(cluster, call, resource, object, [object])
  }
}

const overQuota = (resource: Resource, name: string): ApiError =>
  refusal(403, 'Forbidden', `${resource.name} "${name}" is forbidden: exceeded quota`, {
    name,
    kind: resource.name,
  })

/** Returns the handler that creates an object. */
export function createObject(resource: Resource): CallHandler {
  return async (cluster, call) => {
    const { store, ports } = cluster
    const { object, options } = await readCreated<NewObject>(call, resource)
    const { namespace } = call.resource
    if (resource.namespaced && store.get('namespaces', '', namespace) === undefined) {
      throw notFound({ group: '', name: 'namespaces' }, namespace)
    }
    const { name: sent = '', generateName = '', labels, annotations } = object.metadata ?? {}
    const name = sent === '' && generateName !== '' ? generatedName(generateName, ports.random) : sent
    const problems = nameProblems(resource.kind, name)
    if (problems.length > 0) throw invalid({ group: resource.group, name: resource.kind }, name, problems)
    if (store.isFull()) throw overQuota(resource, name)
    const apiVersion = apiVersionOf(resource)
    const complete = withDefaults({
      ...object,
      kind: resource.kind,
      apiVersion,
      metadata: defined({
        name,
        namespace: resource.namespaced ? namespace : undefined,
        labels,
        annotations,
      }),
    })
    const fields = managedFields({
      manager: options.manager,
      apiVersion,
      time: apiTime(ports.now()),
      set: { metadata: { labels: complete.metadata.labels, annotations } },
    })
    const made: NewObject = {
      ...complete,
      metadata: fields.length > 0 ? { ...complete.metadata, managedFields: fields } : complete.metadata,
    }
    const existing = store.get(stored(resource), placeOf(resource, namespace), name)
    const added = existing === undefined && !options.dryRun ? store.add(stored(resource), made) : undefined
    if (existing !== undefined) throw alreadyExists(resource, name)
    if (added !== undefined) note(call, 'cluster.object_created', added)
    return objectAnswer(call.request, 201, added ?? store.completed(made))
  }
}

function note(
  { publish, user: { username = '' } }: Call,
  type: 'cluster.object_created' | 'cluster.object_deleted',
  { kind, metadata: { name, namespace, uid } }: StoredObject,
): void {
  publish(defined({ type, kind, name, namespace, uid, by: username }))
}

/** The options of a deletion (meta/v1 DeleteOptions). */
interface DeleteOptions {
  readonly dryRun?: readonly string[]
  readonly preconditions?: { readonly uid?: string } | null
}

async function deleteOptions({ request }: Call): Promise<DeleteOptions> {
  const form = bodyForm(request)
  if (request.http.body.length === 0) return {}
  const kind = { group: '', version: 'v1', kind: 'DeleteOptions' }
  return (await decodeBody(request, form, kind, 'Ignore')).object as DeleteOptions
}

/** Kinds whose deletion is answered with a Status. Other deletions are answered with the deleted object. */
const ANSWERED_BY_STATUS: readonly string[] = ['Secret', 'Node']

/** Returns the handler that deletes an object; a namespace with everything in it. */
export function deleteObject(resource: Resource): CallHandler {
  return async (cluster, call): Promise<HttpResponse> => {
    const { store } = cluster
    const options = await deleteOptions(call)
    const { dryRun } = readCreateOptions(call.request)
    const object = found(cluster, call, resource)
    const { name, uid } = object.metadata
    const wanted = options.preconditions?.uid
    if (wanted !== undefined && wanted !== uid) {
      throw conflict(
        resource,
        name,
        `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${uid}`,
      )
    }
    if (!dryRun && !options.dryRun?.length) {
      const gone = store.remove(stored(resource), placeOf(resource, call.resource.namespace), name)
      for (const each of gone) note(call, 'cluster.object_deleted', each)
    }
    if (!ANSWERED_BY_STATUS.includes(resource.kind)) return objectAnswer(call.request, 200, object)
    return objectAnswer(call.request, 200, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name, kind: resource.name, uid },
    })
  }
}
