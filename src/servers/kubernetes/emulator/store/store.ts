import { defined } from '../../../../protocol/values.js'
import { apiTime } from '../times.js'
import { randomUuid } from '../uuid.js'
import { createHistory, type History } from './history.js'
import type { NewObject, StoredObject, StoredResource } from './model.js'

/** The objects of a cluster. Objects without a namespace have the namespace `''`. Each change raises the version by one. */
export interface Store extends Pick<History, 'after' | 'subscribe'> {
  get(resource: StoredResource, namespace: string, name: string): StoredObject | undefined
  /** Returns the objects of a namespace, or of all, sorted by namespace and name. */
  list(resource: StoredResource, namespace?: string): StoredObject[]
  /**
   * Adds an object.
   * @param uid left out: a random one
   * @returns undefined when an object of that name exists
   */
  add(resource: StoredResource, object: NewObject, uid?: string): StoredObject | undefined
  /** Returns the object as `add` would keep it. */
  completed(object: NewObject): StoredObject
  /** Replaces the object of the same name. Its uid and its time of creation stay. @returns undefined without such an object */
  replace(resource: StoredResource, object: StoredObject): StoredObject | undefined
  /** Removes an object. @returns the object with the version of its removal; undefined without one */
  remove(resource: StoredResource, namespace: string, name: string): StoredObject | undefined
  /** True when the store accepts no more objects. */
  isFull(): boolean
  /** Returns the version of the whole store. */
  version(): number
}

/** Largest size of all objects, in characters of JSON, so that a client in a loop cannot fill the memory. */
const MAX_SIZE = 32 * 1024 * 1024

/** The version of an empty store. Clients take 0 for "any version". */
const FIRST_VERSION = 100

const placeOf = ({ metadata }: StoredObject) => `${metadata.namespace ?? ''}/${metadata.name}`

const byPlace = (a: StoredObject, b: StoredObject): number => (placeOf(a) < placeOf(b) ? -1 : 1)

const keyOf = (namespace = '', name: string) => `${namespace}/${name}`

/** Creates an empty store. */
export function createStore(ports: {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): Store {
  const kept = new Map<StoredResource, Map<string, StoredObject>>()
  const history = createHistory(FIRST_VERSION)
  let size = 0

  const objectsOf = (resource: StoredResource): Map<string, StoredObject> => {
    const known = kept.get(resource) ?? new Map<string, StoredObject>()
    kept.set(resource, known)
    return known
  }
  const next = () => String(history.version() + 1)
  const weight = (object: StoredObject) => JSON.stringify(object).length

  function completed({ metadata, ...rest }: NewObject, uid = randomUuid(ports.random)): StoredObject {
    const { kind, apiVersion, ...others } = rest
    const { name, generateName, namespace, managedFields, ...more } = metadata
    return defined({
      kind,
      apiVersion,
      metadata: defined({
        name,
        generateName,
        namespace,
        ...more,
        uid,
        resourceVersion: next(),
        creationTimestamp: apiTime(ports.now()),
        managedFields,
      }),
      ...others,
    }) as StoredObject
  }

  return {
    after: history.after,
    subscribe: history.subscribe,
    get: (resource, namespace, name) => objectsOf(resource).get(keyOf(namespace, name)),
    list: (resource, namespace) =>
      [...objectsOf(resource).values()]
        .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
        .sort(byPlace),
    completed: object => completed(object),
    add(resource, object, uid) {
      const { namespace, name } = object.metadata
      const key = keyOf(namespace, name)
      const objects = objectsOf(resource)
      if (objects.has(key)) return undefined
      const made = completed(object, uid)
      objects.set(key, made)
      size += weight(made)
      history.add({ type: 'ADDED', resource, object: made })
      return made
    },
    replace(resource, object) {
      const { namespace, name } = object.metadata
      const objects = objectsOf(resource)
      const before = objects.get(keyOf(namespace, name))
      if (before === undefined) return undefined
      const { uid, creationTimestamp } = before.metadata
      const metadata = { ...object.metadata, uid, creationTimestamp, resourceVersion: next() }
      const made = { ...object, metadata }
      objects.set(keyOf(namespace, name), made)
      size += weight(made) - weight(before)
      history.add({ type: 'MODIFIED', resource, object: made, before })
      return made
    },
    remove(resource, namespace, name) {
      const objects = objectsOf(resource)
      const before = objects.get(keyOf(namespace, name))
      if (before === undefined) return undefined
      objects.delete(keyOf(namespace, name))
      size -= weight(before)
      const object = { ...before, metadata: { ...before.metadata, resourceVersion: next() } }
      history.add({ type: 'DELETED', resource, object, before })
      return object
    },
    isFull: () => size > MAX_SIZE,
    version: history.version,
  }
}
