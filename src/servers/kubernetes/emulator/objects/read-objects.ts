import { preferredForm } from '../accept.js'
import { objectAnswer } from '../answer.js'
import type { Call, CallHandler, Cluster } from '../call.js'
import { apiVersionOf } from '../kinds.js'
import type { Resource } from '../resources.js'
import type { StoredObject } from '../store/model.js'
import { type ListMeta, pageOf } from './pages.js'
import { found } from './stored.js'
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
      list: (rows: readonly StoredObject[], metadata: ListMeta): object => ({
        kind: `${resource.kind}List`,
        apiVersion: apiVersionOf(resource),
        metadata,
        items: rows.map(({ kind: _kind, apiVersion: _version, ...item }) => item),
      }),
    }
  }
  if (METADATA.includes(form)) {
    return {
      one: partial,
      list: (rows: readonly StoredObject[], metadata: ListMeta): object => ({
        kind: 'PartialObjectMetadataList',
        apiVersion,
        metadata,
        items: rows.map(partial),
      }),
    }
  }
  const table = (rows: readonly StoredObject[], metadata: ListMeta): object =>
    tableOf({ resource, rows, now: ports.now(), apiVersion, includes, metadata })
  return {
    one: (object: StoredObject) => table([object], { resourceVersion: object.metadata.resourceVersion }),
    list: table,
  }
}

/** The namespace of a collection; undefined for all. */
export const insideOf = (resource: Resource, { resource: { namespace } }: Call): string | undefined =>
  resource.namespaced && namespace !== '' ? namespace : undefined

/** Returns the handler that lists the objects of a resource, in one namespace or in all, in pages where the client wants them. */
export function listObjects(resource: Resource): CallHandler {
  return (cluster, call) => {
    const { rows, meta } = pageOf(cluster, call, resource, insideOf(resource, call))
    return objectAnswer(call.request, 200, formOf(cluster, call, resource).list(rows, meta))
  }
}

/** Returns the handler that answers with one object. */
export function getObject(resource: Resource): CallHandler {
  return (cluster, call) => {
    const object = found(cluster, call, resource)
    return objectAnswer(call.request, 200, formOf(cluster, call, resource).one(object))
  }
}
