import { defined } from '../../defined.js'
import type { ApiObject, ObjectMeta, Pod } from '../shapes.js'
import type { ClusterPorts, ClusterSettings } from './settings.js'
import { apiTime } from './times.js'
import { namedUuid, randomUuid } from './uuid.js'

/** Kinds of objects that the cluster keeps, by resource name. */
export type StoredResource = 'namespaces' | 'nodes' | 'pods' | 'secrets' | 'serviceaccounts'

/** A stored object, with complete metadata. */
export interface StoredObject extends ApiObject {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: ObjectMeta & {
    readonly name: string
    readonly uid: string
    readonly resourceVersion: string
    readonly creationTimestamp: string
  }
  readonly spec?: Pod['spec'] | object
  readonly status?: object
  readonly type?: string
}

/** A new object, before the store gives it its identity. */
export interface NewObject extends Omit<StoredObject, 'metadata'> {
  readonly metadata: ObjectMeta & { readonly name: string }
}

/** The objects of a cluster. Objects without a namespace have the namespace `''`. */
export interface Store {
  get(resource: StoredResource, namespace: string, name: string): StoredObject | undefined
  /** Returns the objects of a namespace, or of all, sorted by namespace and name. */
  list(resource: StoredResource, namespace?: string): StoredObject[]
  /** Adds an object. @returns undefined when an object of that name exists */
  add(resource: StoredResource, object: NewObject): StoredObject | undefined
  /** Returns the object as `add` would keep it. */
  completed(object: NewObject): StoredObject
  /**
   * Removes an object; a namespace with everything in it.
   * @returns the removed objects
   */
  remove(resource: StoredResource, namespace: string, name: string): StoredObject[]
  /** True when the store accepts no more objects. */
  isFull(): boolean
  /** Returns the version of the whole store, which each change raises. */
  version(): string
}

/** Largest size of all objects, in characters of JSON, so that a client in a loop cannot fill the memory. */
const MAX_SIZE = 32 * 1024 * 1024

const byPlace = (a: StoredObject, b: StoredObject): number => {
  const [left, right] = [a, b].map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)
  return left! < right! ? -1 : 1
}

/** Creates a store with the objects of the lab file, which have the same uid in every run. */
export function createStore(
  settings: ClusterSettings,
  { now, random }: Pick<ClusterPorts, 'now' | 'random'>,
): Store {
  const kept = new Map<StoredResource, Map<string, StoredObject>>()
  let version = 100
  let size = 0

  const objectsOf = (resource: StoredResource): Map<string, StoredObject> => {
    const known = kept.get(resource) ?? new Map<string, StoredObject>()
    kept.set(resource, known)
    return known
  }
  const keyOf = ({ namespace = '', name }: { namespace?: string; name: string }) => `${namespace}/${name}`

  function completed({ metadata, ...rest }: NewObject, uid = randomUuid(random)): StoredObject {
    const { name, namespace, labels, annotations, managedFields } = metadata
    const { kind, apiVersion, ...others } = rest
    return {
      kind,
      apiVersion,
      metadata: defined({
        name,
        namespace,
        uid,
        resourceVersion: String(version + 1),
        creationTimestamp: apiTime(now()),
        labels,
        annotations,
        managedFields,
      }),
      ...others,
    }
  }

  function add(resource: StoredResource, object: NewObject, uid?: string): StoredObject | undefined {
    const objects = objectsOf(resource)
    const key = keyOf(object.metadata)
    if (objects.has(key)) return undefined
    const made = completed(object, uid)
    version += 1
    size += JSON.stringify(made).length
    objects.set(key, made)
    return made
  }

  function remove(resource: StoredResource, namespace: string, name: string): StoredObject[] {
    const objects = objectsOf(resource)
    const found = objects.get(keyOf({ namespace, name }))
    if (found === undefined) return []
    objects.delete(keyOf({ namespace, name }))
    version += 1
    size -= JSON.stringify(found).length
    if (resource !== 'namespaces') return [found]
    const inside = (['pods', 'secrets', 'serviceaccounts'] as const).flatMap(kind =>
      list(kind, name).flatMap(({ metadata }) => remove(kind, name, metadata.name)),
    )
    return [found, ...inside]
  }

  function list(resource: StoredResource, namespace?: string): StoredObject[] {
    return [...objectsOf(resource).values()]
      .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
      .sort(byPlace)
  }

  for (const [resource, object] of initialObjects(settings)) {
    add(resource, object, namedUuid(`${resource}/${keyOf(object.metadata)}`))
  }
  return {
    get: (resource, namespace, name) => objectsOf(resource).get(keyOf({ namespace, name })),
    list,
    add: (resource, object) => add(resource, object),
    completed: object => completed(object),
    remove,
    isFull: () => size > MAX_SIZE,
    version: () => String(version),
  }
}

/** Adds the members that the server sets on a new object of this kind. */
export function withDefaults(object: NewObject): NewObject {
  const { kind, metadata } = object
  if (kind === 'Namespace') {
    const labels = { 'kubernetes.io/metadata.name': metadata.name, ...metadata.labels }
    const status = { phase: 'Active' }
    return { ...object, metadata: { ...metadata, labels }, spec: { finalizers: ['kubernetes'] }, status }
  }
  if (kind === 'Pod') {
    const {
      serviceAccountName = 'default',
      nodeName,
      ...rest
    } = (object.spec ?? {}) as NonNullable<Pod['spec']>
    const spec = defined({ ...rest, serviceAccountName, nodeName })
    return { ...object, spec, status: { phase: nodeName === undefined ? 'Pending' : 'Running' } }
  }
  if (kind === 'Secret') return { ...object, type: object.type ?? 'Opaque' }
  return object
}

function* initialObjects({ namespaces, nodes }: ClusterSettings): Generator<[StoredResource, NewObject]> {
  const made = (kind: string, name: string, namespace?: string, spec?: object): NewObject =>
    withDefaults(defined({ kind, apiVersion: 'v1', metadata: defined({ name, namespace }), spec }))
  const pods = Object.values(namespaces).flatMap(each => each.pods)
  const allNodes = new Set([...nodes, ...pods.flatMap(({ node }) => (node === undefined ? [] : [node]))])
  for (const name of allNodes) yield ['nodes', made('Node', name)]
  for (const [namespace, contents] of Object.entries(namespaces)) {
    yield ['namespaces', made('Namespace', namespace)]
    for (const name of contents.serviceAccounts)
      yield ['serviceaccounts', made('ServiceAccount', name, namespace)]
    for (const name of contents.secrets) yield ['secrets', made('Secret', name, namespace)]
    for (const { name, serviceAccount, node } of contents.pods) {
      const spec = defined({ serviceAccountName: serviceAccount, nodeName: node })
      yield ['pods', made('Pod', name, namespace, spec)]
    }
  }
}
