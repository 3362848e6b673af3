import { preferredForm } from '../accept.js'
import { objectAnswer } from '../answer.js'
import { refusal } from '../api-error.js'
import type { Call, CallHandler, Cluster } from '../call.js'
import { apiVersionOf } from '../kinds.js'
import type { Resource } from '../resources.js'
import type { StoredObject } from '../store/model.js'
import { matcherOf } from './selectors.js'
import { found, stored } from './stored.js'
import { TABLE_FORMS, tableOf } from './table.js'

// The handlers that read stored objects: list and get, and the forms that clients prefer.

const METADATA = ['v1', 'v1beta1'].flatMap(version =>
  ['PartialObjectMetadata', 'PartialObjectMetadataList'].map(kind => `meta.k8s.io/${version} ${kind}`),
)

/** Writes an object in the form that a client prefers: a table, its metadata alone, or the whole object. */
export function formOf({ ports }: Cluster, call: Call, resource: Resource) {
  const form = preferredForm(call.request.http, [...TABLE_FORMS, ...METADATA])
  const apiVersion = form?.split(' ')[0] ?? ''
  const includes = call.request.query.get('includeObject') ?? 'Metadata'
  const partial = ({ metadata }: StoredObject) => ({ kind: 'PartialObjectMetadata', apiVersion, metadata })
  if (form === undefined) {
    return {
      one: (object: StoredObject): object => object,
      list: (rows: readonly StoredObject[], version: string): object => ({
        kind: `${resource.kind}List`,
        apiVersion: apiVersionOf(resource),
        metadata: { resourceVersion: version },
        items: rows.map(({ kind: _kind, apiVersion: _version, ...item }) => item),
      }),
    }
  }
  if (METADATA.includes(form)) {
    return {
      one: partial,
      list: (rows: readonly StoredObject[], version: string): object => ({
        kind: 'PartialObjectMetadataList',
        apiVersion,
        metadata: { resourceVersion: version },
        items: rows.map(partial),
      }),
    }
  }
  const table = (rows: readonly StoredObject[], version: string): object =>
    tableOf({ resource, rows, now: ports.now(), apiVersion, includes, version })
  return { one: (object: StoredObject) => table([object], object.metadata.resourceVersion), list: table }
}

/** Checks the version that a list has to have at least. @throws ApiError 504 for a version of the future */
function checkVersion({ store }: Cluster, { request }: Call): void {
  const text = request.query.get('resourceVersion') ?? ''
  if (!/^\d+$/.test(text) || Number(text) <= store.version()) return
  const message = `Too large resource version: ${text}, current: ${store.version()}`
  throw refusal(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
}

/** The namespace of a collection; undefined for all. */
export const insideOf = (resource: Resource, { resource: { namespace } }: Call): string | undefined =>
  resource.namespaced && namespace !== '' ? namespace : undefined

/** Returns the handler that lists the objects of a resource, in one namespace or in all. */
export function listObjects(resource: Resource): CallHandler {
  return (cluster, call) => {
    checkVersion(cluster, call)
    const matches = matcherOf(call.request.query, resource.kind)
    const rows = cluster.store.list(stored(resource), insideOf(resource, call)).filter(matches)
    return objectAnswer(
      call.request,
      200,
      formOf(cluster, call, resource).list(rows, String(cluster.store.version())),
    )
  }
}

/** Returns the handler that answers with one object. */
export function getObject(resource: Resource): CallHandler {
  return (cluster, call) => {
    const object = found(cluster, call, resource)
    return objectAnswer(call.request, 200, formOf(cluster, call, resource).one(object))
  }
}
