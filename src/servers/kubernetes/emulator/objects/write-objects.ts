import type { HttpResponse } from '../../../../protocol/http/message.js'
import { defined, isJsonObject } from '../../../../protocol/values.js'
import type { ManagedFields } from '../../shapes.js'
import { objectAnswer } from '../answer.js'
import {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  invalid,
  notFound,
  wrongValue,
} from '../api-error.js'
import { type CreateOptions, readCreateOptions } from '../api-request.js'
import { bodyForm, decodeBody } from '../body.js'
import { type Call, readCreated } from '../call.js'
import { decide } from '../rbac/authorizer.js'
import { apiVersionOf, type Resource } from '../resources.js'
import { withDefaults } from '../store/initial-objects.js'
import type { NewObject, StoredObject } from '../store/store.js'
import { apiTime } from '../store/store.js'
import { type Fields, fieldsOf, type Manager, managerOf, ownersAfterUpdate } from './managed-fields.js'
import { sameJson } from './patches.js'
import {
  checkObject,
  createdOnUpdate,
  generatedName,
  hasStatus,
  needsVersion,
  settableParts,
} from './rules.js'
import { matcherOf } from './selectors.js'
import {
  afterRemoval,
  changed,
  checkNamespace,
  createDefaultAccount,
  found,
  overQuota,
  placeOf,
  present,
  stored,
  withToken,
} from './stored.js'

// The handlers that create, replace and delete stored objects.

/** The members of metadata that a client sets. */
function sentMetadata({
  labels,
  annotations,
  finalizers,
  ownerReferences,
}: Partial<NewObject['metadata']> = {}) {
  const filled = <Value extends object>(value: Value | null | undefined): Value | undefined =>
    value && Object.keys(value).length > 0 ? value : undefined
  return defined({
    labels: filled(labels),
    annotations: filled(annotations),
    finalizers: filled(finalizers),
    ownerReferences: filled(ownerReferences),
  })
}

/** The parts of a new object that its sender owns: those that were sent, and the defaults of the API. The rest comes from the server later. */
function ownedParts(
  resource: Resource,
  sent: NewObject,
  complete: NewObject,
): Readonly<Record<string, unknown>> {
  const parts = settableParts(resource, complete)
  if (resource.kind === 'Namespace') {
    const { spec: _finalizers, ...rest } = parts
    return sent.spec === undefined ? rest : { ...rest, spec: sent.spec }
  }
  const { serviceAccountName } = (sent.spec ?? {}) as { serviceAccountName?: string }
  if (resource.kind !== 'Pod' || serviceAccountName) return parts
  const {
    serviceAccount: _account,
    serviceAccountName: _name,
    ...spec
  } = parts.spec as Record<string, unknown>
  return { ...parts, spec }
}

/** A new object of a request, complete but for its identity. */
export function newObject(
  call: Call,
  sent: NewObject,
  options: CreateOptions,
  { name, generateName = '' }: { readonly name: string; readonly generateName?: string } = call.asked,
): NewObject {
  const { resource, asked } = call
  const metadata = defined({
    name,
    generateName: generateName || undefined,
    namespace: resource.namespaced ? asked.namespace : undefined,
    ...sentMetadata(sent.metadata),
  })
  const { status: _status, ...members } = sent
  const { kind } = resource
  const complete = withDefaults({ ...members, kind, apiVersion: apiVersionOf(resource), metadata })
  const owned = fieldsOf(ownedParts(resource, sent, complete))
  const managedFields = ownersAfterUpdate([], new Map(), owned, managerOf(call, options, 'Update'))
  if (managedFields.length === 0) return complete
  return { ...complete, metadata: { ...complete.metadata, managedFields } }
}

/** Checks and keeps a new object. @throws ApiError */
async function keepNew(call: Call, object: NewObject, dryRun: boolean): Promise<HttpResponse> {
  const { cluster, resource } = call
  const { store } = cluster
  const { name, namespace = '' } = object.metadata
  const answer = (kept: StoredObject) => objectAnswer(call.request, 201, kept)
  checkObject(call, object)
  if (store.isFull()) throw overQuota(resource, name)
  const before = store.get(stored(resource), placeOf(resource, namespace), name)
  if (before !== undefined) throw alreadyExists(resource, name)
  const complete = await withToken(call, object)
  if (dryRun) return answer(store.completed(complete))
  const added = store.add(stored(resource), complete)
  if (added === undefined) throw alreadyExists(resource, name)
  changed(call, 'cluster.object_created', added)
  if (resource.kind === 'Namespace') createDefaultAccount(call, name)
  return answer(added)
}

/** Creates an object. */
export async function createObject(call: Call): Promise<HttpResponse> {
  const { object, options } = await readCreated<NewObject>(call)
  checkNamespace(call)
  const { name: sent = '', generateName = '' } = object.metadata ?? {}
  const name =
    sent === '' && generateName !== '' ? generatedName(generateName, call.cluster.ports.random) : sent
  return keepNew(call, newObject(call, object, options, { name, generateName }), options.dryRun)
}

/**
 * Keeps an object that does not exist yet, for a request that may also change one. Its sender needs `create` too.
 * @throws ApiError
 */
export async function createInstead(call: Call, object: NewObject, dryRun: boolean): Promise<HttpResponse> {
  const { group, namespace, name } = call.asked
  const action = { verb: 'create', group, namespace, resource: call.resource.name, subresource: '', name }
  const { allowed, reason } = decide(call.cluster.rbac, call.user, action)
  if (!allowed) throw forbidden(call.user, action, reason)
  checkNamespace(call)
  return keepNew(call, object, dryRun)
}

const GONE_ON = 'the object has been modified; please apply your changes to the latest version and try again'

const otherUid = (wanted: string, uid: string) =>
  `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${uid}`

const withoutHistory = ({ metadata, ...rest }: StoredObject | NewObject): object => {
  const { managedFields: _fields, resourceVersion: _version, ...kept } = metadata
  return { ...rest, metadata: kept }
}

const ownersWithoutTimes = (entries: readonly ManagedFields[] = []) =>
  entries.map(({ time: _time, ...rest }) => rest)

/** The object with the parts that a client sent: its status alone, or all but its status. @throws ApiError 400 */
function changedParts(resource: Resource, before: StoredObject, sent: NewObject): StoredObject {
  // Identity and history stay, and the client sets the rest.
  const { labels: _l, annotations: _a, finalizers: _f, ownerReferences: _o, ...identity } = before.metadata
  const metadata = { ...identity, ...sentMetadata(sent.metadata) }
  if (resource.subresource === 'status') {
    const { status = {} } = sent
    if (isJsonObject(status)) return { ...before, metadata, status }
    const { kind, version } = resource
    const problem = `json: cannot unmarshal into Go struct field ${kind}.status of type ${version}.${kind}Status`
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`)
  }
  const { kind, apiVersion, status } = before
  if (!hasStatus(resource))
    return defined(withDefaults({ ...sent, kind, apiVersion, metadata })) as StoredObject
  // The defaults of a kind set its first status, which a change does not touch.
  return defined({ ...withDefaults({ ...sent, kind, apiVersion, metadata, status }), status }) as StoredObject
}

/**
 * Checks and keeps a changed object, and answers with it. An object that stays the same keeps its version.
 * @param ownership returns the owners of fields after the change
 * @throws ApiError
 */
export function keepChanged(
  call: Call,
  before: StoredObject,
  sent: NewObject,
  dryRun: boolean,
  manager: Manager,
  ownership: (before: Fields, after: Fields) => ManagedFields[] = (old, now) =>
    ownersAfterUpdate(before.metadata.managedFields, old, now, manager),
): HttpResponse {
  const { cluster, resource } = call
  const { name, uid, resourceVersion } = before.metadata
  const { uid: sentUid, resourceVersion: sentVersion } = sent.metadata ?? {}
  const answer = (kept: StoredObject) => objectAnswer(call.request, 200, kept)
  if (sentUid && sentUid !== uid) throw conflict(resource, name, otherUid(sentUid, uid))
  if (sentVersion && sentVersion !== resourceVersion) throw conflict(resource, name, GONE_ON)
  const after = changedParts(resource, before, sent)
  checkObject(call, after, before)
  const owners = ownership(fieldsOf(before), fieldsOf(after))
  const sameOwners = sameJson(ownersWithoutTimes(owners), ownersWithoutTimes(before.metadata.managedFields))
  if (sameOwners && sameJson(withoutHistory(after), withoutHistory(before))) return answer(before)
  const { managedFields: _old, ...metadata } = after.metadata
  const made = { ...after, metadata: { ...metadata, ...(owners.length > 0 && { managedFields: owners }) } }
  if (dryRun) return answer(made)
  if (cluster.store.isFull()) throw overQuota(resource, name)
  const kept = cluster.store.replace(stored(resource), made)
  if (kept === undefined) throw notFound(resource, name)
  changed(call, 'cluster.object_updated', kept)
  const finished = kept.metadata.deletionTimestamp !== undefined && !kept.metadata.finalizers?.length
  return answer(finished ? removeObject(call, kept) : kept)
}

/** The refusal of a body whose name is not that of the path. */
export const otherName = ({ asked }: Call, name: string) =>
  badRequest(`the name of the object (${name}) does not match the name on the URL (${asked.name})`)

/** Replaces an object (PUT). */
export async function replaceObject(call: Call): Promise<HttpResponse> {
  const { resource, asked } = call
  const { object: sent, options } = await readCreated<NewObject>(call)
  const name = isJsonObject(sent.metadata) ? sent.metadata.name : undefined
  if (name !== asked.name) throw name ? otherName(call, name) : badRequest('name must be provided')
  const { uid, resourceVersion } = sent.metadata
  const before = present(call)
  if (before === undefined) {
    if (!createdOnUpdate(resource) || uid || (resourceVersion && resourceVersion !== '0')) {
      throw notFound(resource, name)
    }
    return createInstead(call, newObject(call, sent, options), options.dryRun)
  }
  if (needsVersion(resource) && !resourceVersion) {
    const problem = wrongValue('metadata.resourceVersion', '0x0', 'must be specified for an update')
    throw invalid({ group: resource.group, name: resource.kind }, name, [problem])
  }
  return keepChanged(call, before, sent, options.dryRun, managerOf(call, options, 'Update'))
}

/** The options of a deletion (meta/v1 DeleteOptions), from the body and the query. */
async function deleteOptions({ request }: Call) {
  const form = bodyForm(request)
  const kind = { group: '', version: 'v1', kind: 'DeleteOptions' }
  const { object = {} } =
    request.http.body.length === 0 ? {} : await decodeBody(request, form, kind, 'Ignore')
  const { dryRun = [], preconditions } = object as {
    readonly dryRun?: readonly string[]
    readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | null
  }
  return { dryRun: readCreateOptions(request).dryRun || dryRun.length > 0, preconditions }
}

/** Kinds whose deletion is answered with the deleted object. Other deletions are answered with a Status. */
const ANSWERED_BY_OBJECT: readonly string[] = ['Namespace', 'Pod', 'Service', 'ServiceAccount']

/**
 * Removes an object with everything that depends on it. An object with finalizers is only marked: it goes with the last finalizer.
 */
function removeObject(call: Call, object: StoredObject): StoredObject {
  const { cluster, resource } = call
  const { store, ports } = cluster
  const { name, namespace = '', finalizers = [] } = object.metadata
  if (finalizers.length > 0) {
    if (object.metadata.deletionTimestamp !== undefined) return object
    const marks = { deletionTimestamp: apiTime(ports.now()), deletionGracePeriodSeconds: 0 }
    const marked = store.replace(stored(resource), { ...object, metadata: { ...object.metadata, ...marks } })
    if (marked !== undefined) changed(call, 'cluster.object_updated', marked)
    return marked ?? object
  }
  const removed = store.remove(stored(resource), placeOf(resource, namespace), name)
  if (removed === undefined) return object
  changed(call, 'cluster.object_deleted', removed)
  afterRemoval(call, removed)
  return object
}

/** Deletes an object; a namespace with everything in it. */
export async function deleteObject(call: Call): Promise<HttpResponse> {
  const { resource, request } = call
  const { dryRun, preconditions } = await deleteOptions(call)
  const object = found(call)
  const { name, uid, resourceVersion } = object.metadata
  const { uid: wanted = uid, resourceVersion: version = resourceVersion } = preconditions ?? {}
  if (wanted !== uid) throw conflict(resource, name, otherUid(wanted, uid))
  if (version !== resourceVersion) {
    const problem = `ResourceVersion in precondition: ${version}, ResourceVersion in object meta: ${resourceVersion}`
    throw conflict(resource, name, `Precondition failed: ${problem}`)
  }
  const left = dryRun ? object : removeObject(call, object)
  if (ANSWERED_BY_OBJECT.includes(resource.kind) || left !== object) return objectAnswer(request, 200, left)
  const details = defined({ name, group: resource.group || undefined, kind: resource.name, uid })
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
  return objectAnswer(request, 200, status)
}

/** Deletes the selected objects of a namespace, or of a resource without namespaces. */
export async function deleteObjects(call: Call): Promise<HttpResponse> {
  const { cluster, resource, request, asked } = call
  const { dryRun } = await deleteOptions(call)
  const inside = resource.namespaced ? asked.namespace : undefined
  const items = cluster.store.list(stored(resource), inside).filter(matcherOf(request.query, resource.kind))
  if (!dryRun) for (const each of items) removeObject(call, each)
  return objectAnswer(request, 200, {
    kind: `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    metadata: { resourceVersion: String(cluster.store.version()) },
    items,
  })
}
