import type { ApiObject, ObjectMeta } from '../../shapes.js'

/** Kinds of objects that the cluster keeps, by resource name. */
export type StoredResource =
  | 'clusterrolebindings'
  | 'clusterroles'
  | 'configmaps'
  | 'events'
  | 'leases'
  | 'namespaces'
  | 'nodes'
  | 'pods'
  | 'rolebindings'
  | 'roles'
  | 'secrets'
  | 'serviceaccounts'
  | 'services'

/** A stored object, with complete metadata. Members beyond the metadata are those of its kind. */
export interface StoredObject extends ApiObject {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: ObjectMeta & {
    readonly name: string
    readonly uid: string
    readonly resourceVersion: string
    readonly creationTimestamp: string
  }
  readonly [member: string]: unknown
}

/** A new object, before the store gives it its identity. */
export interface NewObject extends ApiObject {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: ObjectMeta & { readonly name: string }
  readonly [member: string]: unknown
}
