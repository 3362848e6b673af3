import { defined } from '../../../../protocol/values.js'
import type { UserInfo } from '../../shapes.js'
import { type ApiError, notFound, refusal } from '../api-error.js'
import type { Call, Cluster } from '../call.js'
import { aggregateRoles } from '../rbac/stored-rbac.js'
import type { Resource } from '../resources.js'
import type { StoredObject, StoredResource } from '../store/model.js'

// The parts that the handlers of stored objects share.

/** The name under which the store keeps the objects of a resource. */
export const stored = (resource: Resource): StoredResource => resource.name as StoredResource

/** The namespace under which the store keeps an object: empty for a resource without namespaces. */
export const placeOf = (resource: Resource, namespace: string): string =>
  resource.namespaced ? namespace : ''

/** The object of a request. @throws ApiError 404 */
export function found({ store }: Cluster, { resource: asked }: Call, resource: Resource): StoredObject {
  const object = store.get(stored(resource), placeOf(resource, asked.namespace), asked.name)
  if (object === undefined) throw notFound(resource, asked.name)
  return object
}

/** The refusal of an object for which there is no room. */
export const overQuota = ({ name: kind }: Resource, name: string): ApiError =>
  refusal(403, 'Forbidden', `${kind} "${name}" is forbidden: exceeded quota`, { name, kind })

/** Publishes a change of an object, and renews the roles that are made of others. */
export function changed(
  { store }: Cluster,
  { publish, user }: { readonly publish: Call['publish']; readonly user: UserInfo },
  type: 'cluster.object_created' | 'cluster.object_deleted' | 'cluster.object_updated',
  { kind, metadata: { name, namespace, uid } }: StoredObject,
): void {
  publish(defined({ type, kind, name, namespace, uid, by: user.username ?? '' }))
  if (kind === 'ClusterRole') aggregateRoles(store)
}
