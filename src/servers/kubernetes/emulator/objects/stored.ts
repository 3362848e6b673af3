import { signJwt } from '../../../../protocol/tokens/keys.js'
import { defined } from '../../../../protocol/values.js'
import { type ApiError, forbiddenObject, notFound } from '../api-error.js'
import type { Call } from '../call.js'
import { aggregateRoles } from '../rbac/built-in-roles.js'
import type { Resource } from '../resources.js'
import { accountName, LEGACY_ISSUER } from '../service-account-token.js'
import type { NewObject, StoredObject, StoredResource } from '../store/store.js'
import { ACCOUNT_NAME, TOKEN_SECRET } from './rules.js'

// The parts that the handlers of stored objects share.

/** The name under which the store keeps the objects of a resource. */
export const stored = (resource: Resource): StoredResource => resource.name as StoredResource

/** The namespace under which the store keeps an object: empty for a resource without namespaces. */
export const placeOf = (resource: Resource, namespace: string): string =>
  resource.namespaced ? namespace : ''

/** The object that the path of a request names; undefined without one. */
export const present = ({ cluster, resource, asked }: Call): StoredObject | undefined =>
  cluster.store.get(stored(resource), placeOf(resource, asked.namespace), asked.name)

/** The object that the path of a request names. @throws ApiError 404 */
export function found(call: Call): StoredObject {
  const object = present(call)
  if (object === undefined) throw notFound(call.resource, call.asked.name)
  return object
}

/** Checks that the namespace of a path exists. @throws ApiError 404 */
export function checkNamespace({ cluster, resource, asked: { namespace } }: Call): void {
  if (!resource.namespaced || cluster.store.get('namespaces', '', namespace) !== undefined) return
  throw notFound({ group: '', name: 'namespaces' }, namespace)
}

/** The refusal of an object for which there is no room. */
export const overQuota = ({ name: kind }: Resource, name: string): ApiError =>
  forbiddenObject({ group: '', name: kind }, name, 'exceeded quota')

/** Publishes a change of an object, and renews the roles that are made of others. */
export function changed(
  { cluster, publish, user }: Call,
  type: 'cluster.object_created' | 'cluster.object_deleted' | 'cluster.object_updated',
  { kind, metadata: { name, namespace, uid } }: StoredObject,
): void {
  publish(defined({ type, kind, name, namespace, uid, by: user.username ?? '' }))
  if (kind === 'ClusterRole') aggregateRoles(cluster.store)
}

// The work of the controllers of a real cluster: it is done with the request that causes it.

const ACCOUNT_UID = 'kubernetes.io/service-account.uid'

/** Gives a namespace its account `default`. */
export function createDefaultAccount(call: Call, namespace: string): void {
  const object = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'default', namespace } }
  const added = call.cluster.store.add('serviceaccounts', object)
  if (added !== undefined) changed(call, 'cluster.object_created', added)
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** Fills a secret of the type for tokens: the token of its account, which has no end, the namespace and the CA. Any other object stays. */
export async function withToken({ cluster }: Call, object: NewObject): Promise<NewObject> {
  const { kind, type, metadata, data } = object
  if (kind !== 'Secret' || type !== TOKEN_SECRET) return object
  const { namespace = '', annotations, name: secret } = metadata
  const account = cluster.store.get('serviceaccounts', namespace, annotations?.[ACCOUNT_NAME] ?? '')
  if (account === undefined) return object
  const key = (await cluster.ports.keyring()).current()
  if (key.alg !== 'RS256') return object
  const { name, uid } = account.metadata
  const prefix = 'kubernetes.io/serviceaccount'
  const claims = {
    iss: LEGACY_ISSUER,
    [`${prefix}/namespace`]: namespace,
    [`${prefix}/secret.name`]: secret,
    [`${prefix}/service-account.name`]: name,
    [`${prefix}/service-account.uid`]: uid,
    sub: accountName(namespace, name),
  }
  const { caPem } = cluster.settings
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...annotations, [ACCOUNT_UID]: uid } },
    data: {
      ...(data as object | undefined),
      ...(caPem !== undefined && { 'ca.crt': base64(caPem) }),
      namespace: base64(namespace),
      token: base64(await signJwt(claims, key, null)),
    },
  }
}

/** The resources whose objects go with their namespace. */
const INSIDE: readonly StoredResource[] = [
  'configmaps',
  'events',
  'leases',
  'pods',
  'rolebindings',
  'roles',
  'secrets',
  'serviceaccounts',
  'services',
]

/** Cleans up after a removal: everything in a namespace, the token secrets of an account, and a new account `default`. */
export function afterRemoval(call: Call, { kind, metadata }: StoredObject): void {
  const { store } = call.cluster
  const { name, namespace = '', uid } = metadata
  const remove = (resource: StoredResource, inside: string, each: StoredObject): void => {
    const gone = store.remove(resource, inside, each.metadata.name)
    if (gone !== undefined) changed(call, 'cluster.object_deleted', gone)
  }
  if (kind === 'Namespace') {
    for (const resource of INSIDE) for (const each of store.list(resource, name)) remove(resource, name, each)
  }
  if (kind !== 'ServiceAccount') return
  for (const each of store.list('secrets', namespace)) {
    if (each.type === TOKEN_SECRET && each.metadata.annotations?.[ACCOUNT_UID] === uid) {
      remove('secrets', namespace, each)
    }
  }
  const lives = store.get('namespaces', '', namespace) !== undefined
  if (name === 'default' && lives) createDefaultAccount(call, namespace)
}
