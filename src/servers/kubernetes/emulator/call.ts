import type { HttpResponse } from '../../../protocol/http/message.js'
import type { Keyring } from '../../../protocol/tokens/keys.js'
import type { ObjectMeta, UserInfo } from '../shapes.js'
import { badRequest } from './api-error.js'
import type { ApiRequest, RequestedResource } from './api-request.js'
import type { Authenticator } from './authenticator.js'
import { bodyForm, decodeBody } from './body.js'
import { type CreateOptions, readCreateOptions } from './create-options.js'
import type { Publish } from './events.js'
import type { GroupVersionKind } from './kinds.js'
import type { OpenStreams } from './objects/line-stream.js'
import type { Rbac } from './rbac/model.js'
import type { ClusterPorts, ClusterSettings } from './settings.js'
import type { Store } from './store/store.js'

/** The objects that every handler of the cluster uses. */
export interface Cluster {
  readonly settings: ClusterSettings
  readonly ports: ClusterPorts
  readonly store: Store
  readonly authenticator: Authenticator
  /** The roles and bindings of the store. */
  readonly rbac: Rbac
  readonly watches: OpenStreams
  /** The keys, with those that were made since. */
  readonly keyring: () => Promise<Keyring>
}

/** A request for a resource, whose sender is known and may do it. */
export interface Call {
  readonly request: ApiRequest
  readonly resource: RequestedResource
  readonly user: UserInfo
  readonly publish: Publish
  /** Warnings for the client, which the answer carries. */
  readonly warnings: string[]
}

/** Answers one method of one resource. */
export type CallHandler = (cluster: Cluster, call: Call) => Promise<HttpResponse> | HttpResponse

/** The body of a creating request, decoded, with what its query says. */
export interface Created<T> {
  readonly object: T
  readonly options: CreateOptions
}

/**
 * Reads a creating request, in the order of the real server: media type and size, query, body, namespace.
 * @throws ApiError
 */
export async function readCreated<T extends { readonly metadata?: ObjectMeta }>(
  { request, resource, warnings }: Call,
  wanted: GroupVersionKind,
): Promise<Created<T>> {
  const form = bodyForm(request)
  const options = readCreateOptions(request)
  const body = await decodeBody(request, form, wanted, options.fieldValidation)
  warnings.push(...body.warnings)
  const object = body.object as T
  const { namespace } = object.metadata ?? {}
  // What has no namespace in its path has none at all, whatever the body says.
  const inside = resource.resource === 'namespaces' ? '' : resource.namespace
  if (namespace && inside !== '' && namespace !== inside) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  return { object, options }
}
