import type { BoundObjectReference, Pod } from '../shapes.js'
import { badRequest, conflict, notFound } from './api-error.js'
import type { RequestedResource } from './api-request.js'
import { quote } from './go/quote.js'
import type { TokenContents } from './service-account-token.js'
import type { StoredObject, StoredResource } from './store/model.js'
import type { Store } from './store/store.js'

/** The object that a token is bound to, and expires with. */
export type Bound = Pick<TokenContents, 'pod' | 'node' | 'secret'>

const RESOURCES: Readonly<Record<string, StoredResource>> = { Pod: 'pods', Node: 'nodes', Secret: 'secrets' }

/** Group and version as Go's GroupVersionKind prints them; an unreadable apiVersion counts as empty. */
function groupVersion(apiVersion = ''): { group: string; version: string } {
  const parts = apiVersion.split('/')
  if (parts.length > 2) return { group: '', version: '' }
  const [group = '', version = ''] = parts.length === 2 ? parts : ['', apiVersion]
  return { group, version }
}

/**
 * The object that a token is to be bound to.
 * @throws ApiError 400, 404 or 409
 */
export function findBound(
  store: Store,
  account: RequestedResource,
  reference: BoundObjectReference | undefined,
): Bound {
  if (reference === undefined) return {}
  const { kind = '', name = '', uid = '' } = reference
  const { group, version } = groupVersion(reference.apiVersion)
  const resource = group === '' && Object.hasOwn(RESOURCES, kind) ? RESOURCES[kind] : undefined
  if (resource === undefined) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`)
  }
  if (name === '') throw badRequest('Name parameter required.')
  const found = store.get(resource, resource === 'nodes' ? '' : account.namespace, name)
  if (found === undefined) throw notFound({ group: '', name: resource }, name)
  const bound = boundTo(store, account, resource, found)
  if (uid === '' || uid === found.metadata.uid) return bound
  throw conflict(
    { group, name: kind },
    name,
    `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
  )
}

function boundTo(
  store: Store,
  account: RequestedResource,
  resource: StoredResource,
  found: StoredObject,
): Bound {
  const { name, uid } = found.metadata
  if (resource === 'secrets') return { secret: found }
  if (resource === 'nodes') return { node: { name, uid } }
  const { serviceAccountName, nodeName } = found.spec as NonNullable<Pod['spec']>
  if (serviceAccountName !== account.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${quote(account.name)} to pod running with different serviceaccount name.`,
    )
  }
  if (nodeName === undefined) return { pod: found }
  const node = store.get('nodes', '', nodeName)
  return { pod: found, node: { name: nodeName, ...(node && { uid: node.metadata.uid }) } }
}
