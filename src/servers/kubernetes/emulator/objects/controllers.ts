import { signJwt } from '../../../../protocol/tokens/keys.js'
import type { Call, Cluster } from '../call.js'
import { accountName, LEGACY_ISSUER } from '../service-account-token.js'
import type { NewObject, StoredObject } from '../store/model.js'
import { changed } from './stored.js'
import { ACCOUNT_NAME, TOKEN_SECRET } from './strategy.js'

// The work of the controllers of a real cluster: it is done with the request that causes it.

type By = Pick<Call, 'publish' | 'user'>

const ACCOUNT_UID = 'kubernetes.io/service-account.uid'

/** Gives a namespace its account `default`. */
export function createDefaultAccount(cluster: Cluster, by: By, namespace: string): void {
  const object = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'default', namespace } }
  const added = cluster.store.add('serviceaccounts', object)
  if (added !== undefined) changed(cluster, by, 'cluster.object_created', added)
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** A token without an end, for the secret that holds it. */
async function secretToken(
  cluster: Cluster,
  account: StoredObject,
  secret: string,
): Promise<string | undefined> {
  const key = (await cluster.keyring()).current()
  if (key.alg !== 'RS256') return undefined
  const { namespace = '', name, uid } = account.metadata
  const prefix = 'kubernetes.io/serviceaccount'
  const claims = {
    iss: LEGACY_ISSUER,
    [`${prefix}/namespace`]: namespace,
    [`${prefix}/secret.name`]: secret,
    [`${prefix}/service-account.name`]: name,
    [`${prefix}/service-account.uid`]: uid,
    sub: accountName(namespace, name),
  }
  return signJwt(claims, key, null)
}

/** Fills a secret of the type for tokens: the token of its account, the namespace and the CA. Any other object stays. */
export async function withToken(cluster: Cluster, object: NewObject): Promise<NewObject> {
  const { kind, type, metadata, data } = object
  if (kind !== 'Secret' || type !== TOKEN_SECRET) return object
  const { namespace = '', annotations, name } = metadata
  const account = cluster.store.get('serviceaccounts', namespace, annotations?.[ACCOUNT_NAME] ?? '')
  const token = account && (await secretToken(cluster, account, name))
  if (account === undefined || token === undefined) return object
  const { caPem } = cluster.settings
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...annotations, [ACCOUNT_UID]: account.metadata.uid } },
    data: {
      ...(data as object | undefined),
      ...(caPem !== undefined && { 'ca.crt': base64(caPem) }),
      namespace: base64(namespace),
      token: base64(token),
    },
  }
}

/** Objects that go with a removed one: everything in a namespace, and the token secrets of an account. */
function dependents(
  { store }: Cluster,
  { kind, metadata }: StoredObject,
): ['secrets' | 'pods', StoredObject][] {
  if (kind !== 'ServiceAccount') return []
  return store
    .list('secrets', metadata.namespace)
    .filter(each => each.type === TOKEN_SECRET && each.metadata.annotations?.[ACCOUNT_UID] === metadata.uid)
    .map(each => ['secrets', each])
}

const INSIDE = [
  ...(['configmaps', 'events', 'leases', 'pods', 'rolebindings', 'roles', 'secrets'] as const),
  ...(['serviceaccounts', 'services'] as const),
]

/** Cleans up after a removal: everything in a namespace, the token secrets of an account, and a new account `default`. */
export function afterRemoval(cluster: Cluster, by: By, removed: StoredObject): void {
  const { store } = cluster
  const { kind, metadata } = removed
  const { name, namespace = '' } = metadata
  const remove = (resource: (typeof INSIDE)[number], inside: string, each: StoredObject): void => {
    const gone = store.remove(resource, inside, each.metadata.name)
    if (gone !== undefined) changed(cluster, by, 'cluster.object_deleted', gone)
  }
  if (kind === 'Namespace') {
    for (const resource of INSIDE) for (const each of store.list(resource, name)) remove(resource, name, each)
  }
  for (const [resource, each] of dependents(cluster, removed)) remove(resource, namespace, each)
  const lives = store.get('namespaces', '', namespace) !== undefined
  if (kind === 'ServiceAccount' && name === 'default' && lives) createDefaultAccount(cluster, by, namespace)
}
