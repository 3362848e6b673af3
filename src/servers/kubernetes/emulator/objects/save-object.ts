import type { HttpResponse } from '../../../../protocol/http/message.js'
import { defined, isJsonObject } from '../../../../protocol/values.js'
import type { ManagedFields } from '../../shapes.js'
import { objectAnswer } from '../answer.js'
import { badRequest, conflict, invalid, notFound } from '../api-error.js'
import { type Call, type CallHandler, type Cluster, readCreated } from '../call.js'
import type { CreateOptions } from '../create-options.js'
import { forbiddenAction } from '../forbidden.js'
import { apiVersionOf } from '../kinds.js'
import { type Fields, fieldsOf } from '../patch/field-sets.js'
import { sameJson } from '../patch/json.js'
import { decide } from '../rbac/authorizer.js'
import type { Resource } from '../resources.js'
import { withDefaults } from '../store/defaults.js'
import type { NewObject, StoredObject } from '../store/model.js'
import { apiTime } from '../times.js'
import { keepNew, newObject, sentMetadata } from './create-object.js'
import { removeObject } from './delete-object.js'
import { type Manager, ownersAfterUpdate } from './owners.js'
import { changed, overQuota, placeOf, stored } from './stored.js'
import { checkObject, createdOnUpdate, hasStatus, needsVersion } from './strategy.js'

/** The owners of fields after a change, from the fields before and after it. */
export type Ownership = (before: Fields, after: Fields, manager: Manager) => ManagedFields[]

const GONE_ON = 'the object has been modified; please apply your changes to the latest version and try again'

/** The metadata of an object after a client sent it: identity and history stay, and the client sets the rest. */
function mergedMetadata({ metadata: before }: StoredObject, sent: Partial<NewObject['metadata']>) {
  const { labels: _l, annotations: _a, finalizers: _f, ownerReferences: _o, ...identity } = before
  return { ...identity, ...sentMetadata(sent) }
}

function checkIdentity(resource: Resource, before: StoredObject, sent: Partial<NewObject['metadata']>): void {
  const { name, uid, resourceVersion } = before.metadata
  if (sent.uid && sent.uid !== uid) {
    throw conflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${sent.uid}, UID in object meta: ${uid}`,
    )
  }
  if (sent.resourceVersion && sent.resourceVersion !== resourceVersion)
    throw conflict(resource, name, GONE_ON)
}

const withoutHistory = ({ metadata, ...rest }: StoredObject | NewObject): object => {
  const { managedFields: _fields, resourceVersion: _version, ...kept } = metadata
  return { ...rest, metadata: kept }
}

const ownersWithoutTimes = (entries: readonly ManagedFields[] = []) =>
  entries.map(({ time: _time, ...rest }) => rest)

/** The object with the parts that a client sent: its status alone, or all but its status. @throws ApiError 400 */
function changedParts(resource: Resource, before: StoredObject, sent: NewObject): StoredObject {
  const metadata = mergedMetadata(before, sent.metadata ?? {})
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
 * Checks and keeps a changed object. An object that stays the same keeps its version.
 * @throws ApiError
 */
export function keepChanged(
  cluster: Cluster,
  call: Pick<Call, 'publish' | 'user'>,
  resource: Resource,
  change: {
    readonly before: StoredObject
    readonly sent: NewObject
    readonly manager: Manager
    readonly dryRun: boolean
  },
  ownership?: Ownership,
): StoredObject {
  const { before, sent, manager, dryRun } = change
  checkIdentity(resource, before, sent.metadata ?? {})
  const after = changedParts(resource, before, sent)
  checkObject(cluster, call.user, resource, after, before)
  const entries = before.metadata.managedFields
  const owners = (ownership ?? ((old, now, by) => ownersAfterUpdate(entries, old, now, by)))(
    fieldsOf(before),
    fieldsOf(after),
    manager,
  )
  const sameOwners = sameJson(ownersWithoutTimes(owners), ownersWithoutTimes(entries))
  if (sameOwners && sameJson(withoutHistory(after), withoutHistory(before))) return before
  const { managedFields: _old, ...metadata } = after.metadata
  const made = { ...after, metadata: { ...metadata, ...(owners.length > 0 && { managedFields: owners }) } }
  if (dryRun) return made
  if (cluster.store.isFull()) throw overQuota(resource, before.metadata.name)
  const kept = cluster.store.replace(stored(resource), made)
  if (kept === undefined) throw notFound(resource, before.metadata.name)
  changed(cluster, call, 'cluster.object_updated', kept)
  const finished = kept.metadata.deletionTimestamp !== undefined && !kept.metadata.finalizers?.length
  return finished ? removeObject(cluster, call, resource, kept) : kept
}

/** The manager of a request. */
export const managerOf = (
  { ports }: Cluster,
  resource: Resource,
  { manager }: CreateOptions,
  operation: Manager['operation'],
): Manager =>
  defined({
    manager,
    operation,
    apiVersion: apiVersionOf(resource),
    time: apiTime(ports.now()),
    subresource: resource.subresource,
  })

/**
 * Keeps an object that does not exist yet, for a request that may also change one. Its sender needs `create` too.
 * @throws ApiError
 */
export async function createInstead(
  cluster: Cluster,
  call: Call,
  resource: Resource,
  object: NewObject,
  dryRun: boolean,
): Promise<HttpResponse> {
  const { group, namespace, name } = call.resource
  const action = { verb: 'create', group, namespace, resource: resource.name, subresource: '', name }
  const { allowed, reason } = decide(cluster.rbac, call.user, action)
  if (!allowed) throw forbiddenAction(call.user, action, reason)
  if (resource.namespaced && cluster.store.get('namespaces', '', namespace) === undefined) {
    throw notFound({ group: '', name: 'namespaces' }, namespace)
  }
  return objectAnswer(call.request, 201, await keepNew(cluster, call, resource, object, dryRun))
}

/** Checks the name of a body against the path. @throws ApiError 400 */
function checkName({ resource: { name } }: Call, sent: Partial<NewObject['metadata']> | undefined): void {
  if (sent?.name === name) return
  throw badRequest(
    sent?.name
      ? `the name of the object (${sent.name}) does not match the name on the URL (${name})`
      : 'name must be provided',
  )
}

/** Returns the handler of PUT, which replaces an object. */
export function replaceObject(resource: Resource): CallHandler {
  return async (cluster, call) => {
    const { object: sent, options } = await readCreated<NewObject>(call, resource)
    if (isJsonObject(sent.metadata)) checkName(call, sent.metadata)
    else checkName(call, undefined)
    const { name, namespace } = call.resource
    const before = cluster.store.get(stored(resource), placeOf(resource, namespace), name)
    if (before === undefined) {
      const { uid, resourceVersion } = sent.metadata
      if (!createdOnUpdate(resource) || uid || (resourceVersion && resourceVersion !== '0')) {
        throw notFound(resource, name)
      }
      const made = newObject(cluster, resource, sent, { name, namespace }, options.manager)
      return createInstead(cluster, call, resource, made, options.dryRun)
    }
    if (needsVersion(resource) && !sent.metadata.resourceVersion) {
      const message = 'Invalid value: 0x0: must be specified for an update'
      throw invalid({ group: resource.group, name: resource.kind }, name, [
        { reason: 'FieldValueInvalid', field: 'metadata.resourceVersion', message },
      ])
    }
    const manager = managerOf(cluster, resource, options, 'Update')
    const kept = keepChanged(cluster, call, resource, { before, sent, manager, dryRun: options.dryRun })
    return objectAnswer(call.request, 200, kept)
  }
}
