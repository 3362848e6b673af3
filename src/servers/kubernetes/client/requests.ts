import type { HttpRequest } from '../../../protocol/http/message.js'
import { bytes } from '../../../protocol/http/message.js'
import type { BoundObjectReference } from '../shapes.js'
import type { ClusterAccess } from './access.js'
import { discoveryShape, type SHAPES, type Shape } from './answer-shape.js'
import type { Asked } from './granted.js'

/** A request to an API server, without the address and the credential. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path with the query. */
  readonly path: string
  /** The object to send as JSON. */
  readonly body?: object
  /** The media type to accept. Default: application/json. */
  readonly accept?: string
  /** The kind of object in a successful answer. Absent: any JSON object is accepted. */
  readonly kind?: keyof typeof SHAPES
  /** The expected shape of an answer without a kind. */
  readonly shape?: Shape
}

const segment = encodeURIComponent

/** Returns a request for a token of a service account: `POST …/serviceaccounts/NAME/token`. */
export function tokenRequest(
  namespace: string,
  account: string,
  { audiences, expirationSeconds, binding }: Asked,
): ApiRequest {
  const spec = {
    audiences: audiences.length > 0 ? audiences : undefined,
    expirationSeconds,
    boundObjectRef: binding,
  }
  return {
    method: 'POST',
    path: `/api/v1/namespaces/${segment(namespace)}/serviceaccounts/${segment(account)}/token`,
    body: { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', spec },
    kind: 'TokenRequest',
  }
}

/** Returns a request to review a token: `POST …/tokenreviews`. Without audiences the review is for the API server itself. */
export function tokenReview(token: string, audiences: readonly string[]): ApiRequest {
  const spec = { token, ...(audiences.length > 0 && { audiences }) }
  return {
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    body: { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', spec },
    kind: 'TokenReview',
  }
}

/** The request for the identity of the caller: `POST …/selfsubjectreviews`. */
export const selfSubjectReview: ApiRequest = {
  method: 'POST',
  path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  body: { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' },
  kind: 'SelfSubjectReview',
}

/** The request for the document that names the issuer of service account tokens. */
export const discoveryRequest: ApiRequest = {
  method: 'GET',
  path: '/.well-known/openid-configuration',
  shape: discoveryShape,
}

/** The request for the public keys. The real server answers 406 to `application/json` here. */
export const jwksRequest: ApiRequest = {
  method: 'GET',
  path: '/openid/v1/jwks',
  accept: 'application/jwk-set+json, application/json;q=0.5',
}

/** A kind of object that this program creates and deletes. */
export interface Resource {
  readonly plural: 'serviceaccounts' | 'pods'
  readonly kind: 'ServiceAccount' | 'Pod'
}

export const accountResource: Resource = { plural: 'serviceaccounts', kind: 'ServiceAccount' }
export const podResource: Resource = { plural: 'pods', kind: 'Pod' }

function collection({ plural }: Resource, namespace: string | undefined): string {
  return namespace === undefined ? `/api/v1/${plural}` : `/api/v1/namespaces/${segment(namespace)}/${plural}`
}

/** Returns a request for the objects of one namespace, or of all namespaces. */
export function listRequest(resource: Resource, namespace: string | undefined): ApiRequest {
  return { method: 'GET', path: collection(resource, namespace), kind: `${resource.kind}List` }
}

/** Returns a request that creates a service account. */
export function createAccountRequest(namespace: string, name: string): ApiRequest {
  return {
    method: 'POST',
    path: collection(accountResource, namespace),
    body: { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name, namespace } },
    kind: 'ServiceAccount',
  }
}

/** Returns a request that creates a pod for an account. On a real cluster its pause container does nothing. */
export function createPodRequest(
  namespace: string,
  name: string,
  { account, node }: { readonly account: string; readonly node: string | undefined },
): ApiRequest {
  const spec = {
    serviceAccountName: account,
    nodeName: node,
    containers: [{ name: 'pause', image: 'registry.k8s.io/pause:3.10' }],
  }
  return {
    method: 'POST',
    path: collection(podResource, namespace),
    body: { kind: 'Pod', apiVersion: 'v1', metadata: { name, namespace }, spec },
    kind: 'Pod',
  }
}

/** Returns a request that deletes an object. A pod is deleted without a grace period. */
export function deleteRequest(resource: Resource, namespace: string, name: string): ApiRequest {
  const options = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Background',
    ...(resource.kind === 'Pod' && { gracePeriodSeconds: 0 }),
  }
  return { method: 'DELETE', path: `${collection(resource, namespace)}/${segment(name)}`, body: options }
}

const apiKinds: ReadonlyMap<string, string> = new Map([
  ['pod', 'Pod'],
  ['pods', 'Pod'],
  ['secret', 'Secret'],
  ['secrets', 'Secret'],
  ['node', 'Node'],
  ['nodes', 'Node'],
])

/** Parses `pod/web-0`, optionally with a uid as in `pod/web-0/UID`. Returns undefined for other kinds and forms. */
export function parseBinding(text: string): BoundObjectReference | undefined {
  const [, kind = '', name = '', uid] =
    /^([A-Za-z]+)\/([a-z0-9][a-z0-9.-]{0,252})(?:\/([\w-]+))?$/.exec(text) ?? []
  const apiKind = apiKinds.get(kind.toLowerCase())
  if (apiKind === undefined) return undefined
  return { kind: apiKind, apiVersion: 'v1', name, ...(uid !== undefined && { uid }) }
}

/** The User-Agent of all requests. */
export const USER_AGENT = 'oauth-lab'

/** Builds the HTTP request. Like kubectl, it sends no credential over plain http. */
export function httpRequest({ server, credential }: ClusterAccess, request: ApiRequest): HttpRequest {
  const secure = server.startsWith('https:')
  const authorization = !secure
    ? undefined
    : credential.kind === 'bearer'
      ? `Bearer ${credential.token}`
      : credential.kind === 'basic'
        ? `Basic ${Buffer.from(`${credential.username}:${credential.password}`).toString('base64')}`
        : undefined
  return {
    method: request.method,
    url: `${server}${request.path}`,
    headers: [
      ['accept', request.accept ?? 'application/json'],
      ['user-agent', USER_AGENT],
      ...(authorization === undefined ? [] : [['authorization', authorization] as const]),
      ...(request.body === undefined ? [] : [['content-type', 'application/json'] as const]),
    ],
    body: request.body === undefined ? new Uint8Array() : bytes(JSON.stringify(request.body)),
  }
}
