import type { OpenStreams } from '../../../protocol/http/line-stream.js'
import type { HttpResponse } from '../../../protocol/http/message.js'
import type { ObjectMeta, UserInfo } from '../shapes.js'
import { badRequest } from './api-error.js'
import {
  type ApiRequest,
  type CreateOptions,
  type RequestedResource,
  readCreateOptions,
} from './api-request.js'
import type { Authenticator } from './authenticator.js'
import { bodyForm, decodeBody } from './body.js'
import type { Publish } from './events.js'
import type { Rbac } from './rbac/authorizer.js'
import type { Resource } from './resources.js'
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
}

/** A request for a resource, whose sender is known and may do it. */
export interface Call {
  readonly cluster: Cluster
  readonly request: ApiRequest
  readonly resource: Resource
  /** The parts of the path. */
  readonly asked: RequestedResource
  readonly user: UserInfo
  readonly publish: Publish
  /** Warnings for the client, which the answer carries. */
  readonly warnings: string[]
}

/** Answers one method of one resource. @throws ApiError */
export type CallHandler = (call: Call) => Promise<HttpResponse> | HttpResponse

/**
 * Reads the body and the query of a creating request, in the order of the real server: media type and size, query, body, namespace.
 * @throws ApiError
 */
export async function readCreated<T extends { readonly metadata?: ObjectMeta }>({
  request,
  resource,
  asked,
  warnings,
}: Call): Promise<{ readonly object: T; readonly options: CreateOptions }> {
  const form = bodyForm(request)
  const options = readCreateOptions(request)
  const body = await decodeBody(request, form, resource, options.fieldValidation)
  for (const each of body.warnings) warnings.push(each)
  const object = body.object as T
  const { namespace } = object.metadata ?? {}
  // What has no namespace in its path has none at all, whatever the body says.
  const inside = resource.name === 'namespaces' ? '' : asked.namespace
  if (namespace && inside !== '' && namespace !== inside) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  return { object, options }
}
