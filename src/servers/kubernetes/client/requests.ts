import { jsonObjectOf, unreadable } from '../../../client/json-answer.js'
import { UserError } from '../../../protocol/errors.js'
import type { Exchange, Send } from '../../../protocol/http/exchange.js'
import { bytes, type Header, type HttpRequest, headerValues } from '../../../protocol/http/message.js'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'
import type { BoundObjectReference, Status } from '../shapes.js'
import { type ClusterAccess, ownTokenHints } from './access.js'
import type { Asked } from './granted.js'

// The shapes of answers. The program relies on the types of answers. An answer with another shape comes from a server that is not an API server, and
// becomes an error.

/** The shape of a JSON value, as far as the program reads it. `null` means absent, as in Go, except within a list. */
type Shape =
  | 'text'
  | 'number'
  | 'boolean'
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly members: Readonly<Record<string, Shape>> }

const texts: Shape = { list: 'text' }
const members = (of: Readonly<Record<string, Shape>>): Shape => ({ members: of })

const metadata = members({ name: 'text', namespace: 'text', uid: 'text', creationTimestamp: 'text' })
const user = members({ username: 'text', uid: 'text', groups: texts, extra: { map: texts } })
const object = members({ metadata })
const pod = members({ metadata, spec: members({ serviceAccountName: 'text', nodeName: 'text' }) })

/** The shapes of answers by kind. */
const SHAPES = {
  TokenRequest: members({
    spec: members({ audiences: texts, expirationSeconds: 'number' }),
    status: members({ token: 'text', expirationTimestamp: 'text' }),
  }),
  TokenReview: members({
    status: members({ authenticated: 'boolean', user, audiences: texts, error: 'text' }),
  }),
  SelfSubjectReview: members({ status: members({ userInfo: user }) }),
  ServiceAccount: object,
  Pod: pod,
  ServiceAccountList: members({ items: { list: object } }),
  PodList: members({ items: { list: pod } }),
} as const satisfies Readonly<Record<string, Shape>>

/** The shape of a refusal. */
const statusShape = members({
  message: 'text',
  reason: 'text',
  details: members({ name: 'text', kind: 'text' }),
})

/**
 * Returns the first difference between a value and its shape, such as `status.user.groups is no list`.
 * @param path the path of the value, for the message; empty for the whole
 */
function shapeProblem(value: unknown, shape: Shape, path = ''): string | undefined {
  const isNo = (what: string) => `${path || 'it'} is no ${what}`
  if (typeof shape === 'string') {
    const right = typeof value === (shape === 'text' ? 'string' : shape)
    return right ? undefined : isNo(shape)
  }
  const below: (readonly [path: string, value: unknown, shape: Shape])[] = []
  if ('list' in shape) {
    if (!Array.isArray(value)) return isNo('list')
    for (const [i, each] of value.entries()) below.push([`${path}[${i}]`, each, shape.list])
  } else {
    if (!isJsonObject(value)) return isNo('object')
    for (const name of Object.keys('map' in shape ? value : shape.members)) {
      if (value[name] === undefined || value[name] === null) continue
      const of = 'map' in shape ? shape.map : shape.members[name]!
      below.push([path === '' ? name : `${path}.${name}`, value[name], of])
    }
  }
  for (const [place, each, of] of below) {
    const problem = shapeProblem(each, of, place)
    if (problem !== undefined) return problem
  }
  return undefined
}

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

/** A request that sends an object of a kind, and expects one of that kind. */
const post = (
  path: string,
  kind: keyof typeof SHAPES,
  apiVersion: string,
  members: object = {},
): ApiRequest => ({
  method: 'POST',
  path,
  body: { kind, apiVersion, ...members },
  kind,
})

const AUTHENTICATION = 'authentication.k8s.io/v1'

/** Returns a request for a token of a service account: `POST …/serviceaccounts/NAME/token`. */
export function tokenRequest(
  namespace: string,
  account: string,
  { audiences, expirationSeconds, binding: boundObjectRef }: Asked,
): ApiRequest {
  const path = `${collection(accountResource, namespace)}/${segment(account)}/token`
  const named = audiences.length > 0 ? audiences : undefined
  const spec = { audiences: named, expirationSeconds, boundObjectRef }
  return post(path, 'TokenRequest', AUTHENTICATION, { spec })
}

/** Returns a request to review a token: `POST …/tokenreviews`. Without audiences the review is for the API server itself. */
export function tokenReview(token: string, audiences: readonly string[]): ApiRequest {
  const spec = { token, ...(audiences.length > 0 && { audiences }) }
  return post(`/apis/${AUTHENTICATION}/tokenreviews`, 'TokenReview', AUTHENTICATION, { spec })
}

/** The request for the identity of the caller: `POST …/selfsubjectreviews`. */
export const selfSubjectReview = post(
  `/apis/${AUTHENTICATION}/selfsubjectreviews`,
  'SelfSubjectReview',
  AUTHENTICATION,
)

/** The request for the document that names the issuer of service account tokens. */
export const discoveryRequest: ApiRequest = {
  method: 'GET',
  path: '/.well-known/openid-configuration',
  shape: members({ issuer: 'text', jwks_uri: 'text' }),
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
export const createAccountRequest = (namespace: string, name: string): ApiRequest =>
  post(collection(accountResource, namespace), 'ServiceAccount', 'v1', { metadata: { name, namespace } })

/** Returns a request that creates a pod for an account. On a real cluster its pause container does nothing. */
export function createPodRequest(
  namespace: string,
  name: string,
  { account, node }: { readonly account: string; readonly node: string | undefined },
): ApiRequest {
  const containers = [{ name: 'pause', image: 'registry.k8s.io/pause:3.10' }]
  const spec = { serviceAccountName: account, nodeName: node, containers }
  return post(collection(podResource, namespace), 'Pod', 'v1', { metadata: { name, namespace }, spec })
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

/** The kinds that a token can be bound to, by what a person types; each may be in the plural. */
const BINDABLE: Readonly<Record<string, string>> = { pod: 'Pod', secret: 'Secret', node: 'Node' }

/** Parses `pod/web-0`, optionally with a uid as in `pod/web-0/UID`. Returns undefined for other kinds and forms. */
export function parseBinding(text: string): BoundObjectReference | undefined {
  const [, kind = '', name = '', uid] =
    /^([A-Za-z]+)\/([a-z0-9][a-z0-9.-]{0,252})(?:\/([\w-]+))?$/.exec(text) ?? []
  const singular = kind.toLowerCase().replace(/s$/, '')
  const apiKind = Object.hasOwn(BINDABLE, singular) ? BINDABLE[singular] : undefined
  if (apiKind === undefined) return undefined
  return { kind: apiKind, apiVersion: 'v1', name, ...(uid !== undefined && { uid }) }
}

/** The User-Agent of all requests. */
export const USER_AGENT = 'oauth-lab'

/** Builds the HTTP request. Like kubectl, it sends no credential over plain http. */
export function httpRequest({ server, credential }: ClusterAccess, request: ApiRequest): HttpRequest {
  const { method, path, accept = 'application/json', body } = request
  const headers: Header[] = [
    ['accept', accept],
    ['user-agent', USER_AGENT],
  ]
  if (server.startsWith('https:')) {
    if (credential.kind === 'bearer') headers.push(['authorization', `Bearer ${credential.token}`])
    if (credential.kind === 'basic') {
      const pair = Buffer.from(`${credential.username}:${credential.password}`).toString('base64')
      headers.push(['authorization', `Basic ${pair}`])
    }
  }
  if (body !== undefined) headers.push(['content-type', 'application/json'])
  return {
    method,
    url: `${server}${path}`,
    headers,
    body: bytes(body === undefined ? '' : JSON.stringify(body)),
  }
}

/** The answer of an API server. */
interface Answer<T> {
  readonly object: T
  /** The texts of the `Warning` headers. */
  readonly warnings: readonly string[]
  readonly exchange: Exchange
}

/** A refusal of an API server. */
export class ClusterRefusal extends UserError {
  override name = 'ClusterRefusal'
  constructor(
    readonly status: Status,
    /** The HTTP status. */
    readonly code: number,
    readonly exchange: Exchange,
    hints: readonly string[],
  ) {
    const reason = status.reason === undefined || status.reason === '' ? '' : `${status.reason}, `
    super(`the cluster refused: ${status.message || 'no message'} (${reason}HTTP ${code})`, 'refused', hints)
  }
}

/** Returns the texts of `Warning: 299 - "text"` headers (RFC 7234 §5.5), which Kubernetes sends. */
export function warningsOf(message: Parameters<typeof headerValues>[0]): string[] {
  return headerValues(message, 'warning').flatMap(value => {
    const warning = /^\d{3} \S+ "((?:[^"\\]|\\.)*)"/.exec(value)
    return warning?.[1] === undefined ? [] : [warning[1].replace(/\\(.)/g, '$1')]
  })
}

const isStatus = (value: JsonObject): boolean =>
  value.kind === 'Status' && value.apiVersion === 'v1' && shapeProblem(value, statusShape) === undefined

/**
 * Reads the object in an answer.
 * @throws ClusterRefusal for a refusal; TransportError for an answer that no API server gives
 */
export function readAnswer<T>(exchange: Exchange, request: ApiRequest, access: ClusterAccess): Answer<T> {
  const asked = `${request.method} ${request.path.split('?', 1)[0]}`
  const { server: address, via } = access
  const value = jsonObjectOf(exchange, asked, { title: 'a Kubernetes API server', address, via })
  const response = exchange.response!
  const { status } = response
  if (status >= 400) {
    if (!isStatus(value)) {
      throw unreadable(`${access.server} answered ${asked} with HTTP ${status} and no Kubernetes Status`)
    }
    const refused = value as unknown as Status
    throw new ClusterRefusal(
      refused,
      status,
      exchange,
      refusalHints(refused, status, access, Date.parse(exchange.at)),
    )
  }
  if (request.kind !== undefined && value.kind !== request.kind) {
    const kind = typeof value.kind === 'string' ? value.kind.slice(0, 60) : 'no kind'
    throw unreadable(
      `${access.server} answered ${asked} with ${kind} instead of ${request.kind} (HTTP ${status})`,
    )
  }
  const shape = request.kind === undefined ? request.shape : SHAPES[request.kind]
  const problem = shape && shapeProblem(value, shape)
  if (problem !== undefined) {
    const what = request.kind === undefined ? 'JSON' : `a ${request.kind}`
    throw unreadable(`${access.server} answered ${asked} with ${what} that cannot be read: ${problem}`)
  }
  return { object: value as T, warnings: warningsOf(response), exchange }
}

/** Sends a request to an API server. */
export type AskCluster = <T>(request: ApiRequest) => Promise<Answer<T>>

/**
 * Returns the function that sends requests to a cluster. It calls `seen` with each exchange, including refused ones. It throws the errors of
 * `readAnswer` and `send`.
 */
export function askCluster(
  access: ClusterAccess,
  send: Send,
  {
    seen = () => {},
    signal,
  }: {
    readonly seen?: ((exchange: Exchange, request: ApiRequest) => void) | undefined
    readonly signal?: AbortSignal | undefined
  } = {},
): AskCluster {
  return async <T>(request: ApiRequest) => {
    const exchange = await send(httpRequest(access, request), signal ? { signal } : {})
    seen(exchange, request)
    return readAnswer<T>(exchange, request, access)
  }
}

function caller({ credential, server, via }: ClusterAccess): string {
  if (credential.kind === 'none') return `nobody: ${via} names no credentials`
  if (!server.startsWith('https:')) return 'nobody: credentials are not sent over http'
  return `the ${credential.kind} of ${credential.from}`
}

/** The next moves after a refusal, by its HTTP status, and by the kind or the message that it is about. */
const HINTS: readonly (readonly [code: number, about: RegExp, ...hints: string[]])[] = [
  [
    403,
    /cannot get path "\/(openid|\.well-known)/,
    'Service accounts may read this by the binding system:service-account-issuer-discovery; federation needs it for everybody:',
    'kubectl create clusterrolebinding oidc-reviewer --clusterrole=system:service-account-issuer-discovery --group=system:unauthenticated',
  ],
  [404, /^serviceaccounts /, 'Those that are there:   oauth-lab k8s accounts list -A'],
  [404, /^pods /, 'Those that are there:   oauth-lab k8s pods list -A'],
  [404, /^namespaces /, 'Name another one:   -n NAMESPACE'],
  [
    409,
    /UID in the bound object reference/,
    'The object was made again: leave the uid out, or name the new one.',
  ],
  [422, /expirationSeconds/, 'Ask for 10m or more, up to about 136 years.'],
]

/**
 * Returns the next moves after a refusal of the API server. Such a refusal concerns the caller's own credential, rights or request.
 * @param now milliseconds since the epoch
 */
function refusalHints(status: Status, code: number, access: ClusterAccess, now: number): string[] {
  const { message = '', details } = status
  if (code === 401) {
    const own = ownTokenHints(access, now)
    const inspect = 'Take a token apart:   oauth-lab k8s inspect @FILE   (its aud must name the API server)'
    return [
      `These are your own credentials, ${caller(access)}: expired, of another cluster, or for another audience.`,
      ...(own.length > 0 ? own : [inspect]),
    ]
  }
  const known = HINTS.find(
    ([of, about]) => of === code && about.test(code === 404 ? `${details?.kind} ` : message),
  )
  if (known !== undefined) return known.slice(2) as string[]
  if (code !== 403) return []
  return message.includes('system:anonymous')
    ? [`The cluster knows you as system:anonymous: you came as ${caller(access)}.`]
    : ['Who you are there:   oauth-lab k8s whoami', 'Another administrator can bind the right to you (RBAC).']
}
