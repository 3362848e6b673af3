import { defined } from '../../../../protocol/values.js'
import { objectAnswer } from '../answer.js'
import { alreadyExists, notFound } from '../api-error.js'
import { type Call, type CallHandler, type Cluster, readCreated } from '../call.js'
import { apiVersionOf } from '../kinds.js'
import { fieldsOf } from '../patch/field-sets.js'
import type { Resource } from '../resources.js'
import { withDefaults } from '../store/defaults.js'
import type { NewObject, StoredObject } from '../store/model.js'
import { apiTime } from '../times.js'
import { createDefaultAccount, withToken } from './controllers.js'
import { generatedName } from './object-names.js'
import { ownersAfterUpdate } from './owners.js'
import { changed, overQuota, placeOf, stored } from './stored.js'
import { checkObject, settableParts } from './strategy.js'

/** The members of metadata that a client sets. */
export function sentMetadata({
  labels,
  annotations,
  finalizers,
  ownerReferences,
}: Partial<NewObject['metadata']>) {
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
  { ports }: Cluster,
  resource: Resource,
  sent: NewObject,
  place: { readonly name: string; readonly generateName?: string | undefined; readonly namespace: string },
  manager: string,
): NewObject {
  const apiVersion = apiVersionOf(resource)
  const metadata = defined({
    name: place.name,
    generateName: place.generateName || undefined,
    namespace: resource.namespaced ? place.namespace : undefined,
    ...sentMetadata(sent.metadata ?? {}),
  })
  const { status: _status, ...members } = sent
  const complete = withDefaults({ ...members, kind: resource.kind, apiVersion, metadata })
  const by = { manager, operation: 'Update', apiVersion, time: apiTime(ports.now()) } as const
  const managedFields = ownersAfterUpdate([], new Map(), fieldsOf(ownedParts(resource, sent, complete)), by)
  return managedFields.length === 0
    ? complete
    : { ...complete, metadata: { ...complete.metadata, managedFields } }
}

/**
 * Checks and keeps a new object.
 * @throws ApiError
 */
export async function keepNew(
  cluster: Cluster,
  call: Pick<Call, 'publish' | 'user'>,
  resource: Resource,
  object: NewObject,
  dryRun: boolean,
): Promise<StoredObject> {
  const { store } = cluster
  const { name, namespace = '' } = object.metadata
  checkObject(cluster, call.user, resource, object)
  if (store.isFull()) throw overQuota(resource, name)
  const exists = () => store.get(stored(resource), placeOf(resource, namespace), name) !== undefined
  if (exists()) throw alreadyExists(resource, name)
  const complete = await withToken(cluster, object)
  if (dryRun) return store.completed(complete)
  const added = store.add(stored(resource), complete)
  if (added === undefined) throw alreadyExists(resource, name)
  changed(cluster, call, 'cluster.object_created', added)
  if (resource.kind === 'Namespace') createDefaultAccount(cluster, call, name)
  return added
}

/** Returns the handler that creates an object. */
export function createObject(resource: Resource): CallHandler {
  return async (cluster, call) => {
    const { store, ports } = cluster
    const { object, options } = await readCreated<NewObject>(call, resource)
    const { namespace } = call.resource
    if (resource.namespaced && store.get('namespaces', '', namespace) === undefined) {
      throw notFound({ group: '', name: 'namespaces' }, namespace)
    }
    const { name: sent = '', generateName = '' } = object.metadata ?? {}
    const name = sent === '' && generateName !== '' ? generatedName(generateName, ports.random) : sent
    const made = newObject(cluster, resource, object, { name, generateName, namespace }, options.manager)
    return objectAnswer(call.request, 201, await keepNew(cluster, call, resource, made, options.dryRun))
  }
}
