import { bytes, type HttpResponse } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import { accepts, goJson, objectAnswer, plainAnswer, preferredForm, uncached } from './answer.js'
import { MEDIA_TYPES, notAcceptable, unknownMethod } from './api-error.js'
import type { ApiRequest } from './api-request.js'
import type { Cluster } from './call.js'
import { openApiIndex, openApiOf } from './openapi.js'
import {
  apiVersionOf,
  CORE,
  GROUPS,
  type GroupVersion,
  RESOURCES,
  type Resource,
  SERVER_VERSION,
  servedIn,
} from './resources.js'

// The API groups and resources of this server, in both forms of discovery: a list for each group, and one aggregated list.

const resourcesIn = ({ group, version }: GroupVersion): readonly Resource[] =>
  RESOURCES.filter(each => servedIn(each).group === group && servedIn(each).version === version)

/** The resources of a group (APIResourceList). */
function resourceList(of: GroupVersion): object {
  return defined({
    kind: 'APIResourceList',
    // The real server leaves it out in the core group.
    apiVersion: of.group === '' ? undefined : 'v1',
    groupVersion: apiVersionOf(of),
    resources: resourcesIn(of).map(resource => {
      const { name, subresource, singular, namespaced, kind, verbs, shortNames, categories } = resource
      const own = subresource === undefined
      const foreign = resource.group !== of.group
      return defined({
        name: own ? name : `${name}/${subresource}`,
        singularName: singular,
        namespaced,
        group: foreign ? resource.group : undefined,
        version: foreign ? resource.version : undefined,
        kind,
        verbs,
        shortNames,
        categories,
      })
    }),
  })
}

const versionsOf = (of: GroupVersion) => ({ groupVersion: apiVersionOf(of), version: of.version })

const groupMembers = (of: GroupVersion) => ({
  name: of.group,
  versions: [versionsOf(of)],
  preferredVersion: versionsOf(of),
})

/** One group (APIGroup). */
function apiGroup(of: GroupVersion): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupMembers(of) }
}

/** All groups beside the core one (APIGroupList). */
function apiGroupList(): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: GROUPS.map(groupMembers) }
}

/** The versions of the core group (APIVersions). */
function apiVersions(baseUrl: string): object {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: new URL(baseUrl).host }],
  }
}

/** Forms of aggregated discovery that are served. */
const AGGREGATED_FORMS = ['v2', 'v2beta1'].map(each => `apidiscovery.k8s.io/${each} APIGroupDiscoveryList`)

/** Groups with all their resources in one answer (APIGroupDiscoveryList). */
function aggregated(form: string, groups: readonly GroupVersion[]): { object: object; contentType: string } {
  const apiVersion = form.split(' ')[0]!
  const version = apiVersion.split('/')[1]
  return {
    object: {
      kind: 'APIGroupDiscoveryList',
      apiVersion,
      metadata: {},
      items: groups.map(of => ({
        metadata: defined({ name: of.group === '' ? undefined : of.group, creationTimestamp: null }),
        versions: [{ version: of.version, resources: resourcesOf(of), freshness: 'Current' }],
      })),
    },
    contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
  }
}

function resourcesOf(of: GroupVersion): object[] {
  const inGroup = resourcesIn(of)
  return inGroup
    .filter(each => each.subresource === undefined)
    .map(each => {
      const below = inGroup.filter(({ name, subresource }) => name === each.name && subresource !== undefined)
      return defined({
        resource: each.name,
        responseKind: { group: '', version: '', kind: each.kind },
        scope: each.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: each.singular,
        verbs: each.verbs,
        shortNames: each.shortNames,
        categories: each.categories,
        subresources: below.length > 0 ? below.map(subresourceOf) : undefined,
      })
    })
}

const subresourceOf = ({ subresource, group, version, kind, verbs }: Resource) => ({
  subresource,
  responseKind: { group, version, kind },
  verbs,
})

// The handlers of paths that name no resource.

type PathHandler = (cluster: Cluster, request: ApiRequest) => HttpResponse | Promise<HttpResponse>

/** The answer of `/version`. */
const VERSION = {
  major: '1',
  minor: '32',
  gitVersion: SERVER_VERSION,
  gitCommit: 'd4b43f374a5bc0e0f44c07ff773061e27c7f2a08',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.24.4',
  compiler: 'gc',
  platform: 'linux/amd64',
}

const ok: PathHandler = () => plainAnswer(200, 'ok')

/** One of the two documents that verifiers of tokens read (OpenID Connect Discovery §4). */
function published(request: ApiRequest, contentType: string, object: object): HttpResponse {
  if (!accepts(request.http, [contentType])) {
    return plainAnswer(406, `406: Not Acceptable\n\nAvailable representations: ${contentType}`)
  }
  const headers = [
    ['cache-control', 'public, max-age=3600'],
    ['content-type', contentType],
  ] as const
  // Without a final newline, like the real server.
  return { status: 200, headers, body: bytes(JSON.stringify(object)) }
}

const openIdConfiguration: PathHandler = ({ settings }, request) =>
  published(request, 'application/json', {
    issuer: settings.issuer,
    jwks_uri: `${settings.baseUrl}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  })

const jwks: PathHandler = async ({ ports }, request) => {
  const { keys } = (await ports.keyring()).published()
  const written = keys.map(({ kid, n, e }) => ({ use: 'sig', kty: 'RSA', kid, alg: 'RS256', n, e }))
  return published(request, 'application/jwk-set+json', { keys: written })
}

/** Discovery in the form that the client prefers. */
function discovery(groups: readonly GroupVersion[], plain: (cluster: Cluster) => object): PathHandler {
  return (cluster, request) => {
    const form = preferredForm(request.http, AGGREGATED_FORMS)
    if (form === undefined) return negotiated(plain(cluster))(cluster, request)
    const { object, contentType } = aggregated(form, groups)
    return objectAnswer(request, 200, object, contentType)
  }
}

/** An object in a format that the client accepts. @throws ApiError 406 */
function negotiated(object: object): PathHandler {
  return (_, request) => {
    if (!accepts(request.http, MEDIA_TYPES)) throw notAcceptable()
    return objectAnswer(request, 200, object)
  }
}

/** A document that is JSON even when the client asks for another format. */
const document =
  (object: () => object, contentType?: string): PathHandler =>
  (_, request) =>
    objectAnswer(request, 200, object(), contentType)

const PATHS: ReadonlyMap<string, PathHandler> = new Map<string, PathHandler>([
  ['/', document(rootPaths)],
  ['/api', discovery([CORE], ({ settings }) => apiVersions(settings.baseUrl))],
  ['/api/v1', negotiated(resourceList(CORE))],
  ['/apis', discovery(GROUPS, apiGroupList)],
  ...GROUPS.flatMap(each => [
    [`/apis/${each.group}`, negotiated(apiGroup(each))] as const,
    [`/apis/${each.group}/${each.version}`, negotiated(resourceList(each))] as const,
  ]),
  ['/openapi/v3', document(openApiIndex, 'text/plain; charset=utf-8')],
  ['/openapi/v3/api/v1', document(() => openApiOf(CORE))],
  ...GROUPS.map(
    each => [`/openapi/v3/apis/${each.group}/${each.version}`, document(() => openApiOf(each))] as const,
  ),
  ['/.well-known/openid-configuration', openIdConfiguration],
  ['/openid/v1/jwks', jwks],
  // Always indented.
  ['/version', () => ({ status: 200, headers: uncached(), body: bytes(goJson(VERSION, true)) })],
  ['/healthz', ok],
  ['/livez', ok],
  ['/readyz', ok],
])

/** Every path but `/` itself. */
function rootPaths(): object {
  return { paths: [...PATHS.keys()].filter(path => path !== '/').sort() }
}

/**
 * Answers a path that names no resource.
 * @throws ApiError
 */
export async function answerPath(cluster: Cluster, request: ApiRequest): Promise<HttpResponse> {
  const handler = PATHS.get(request.path)
  if (handler === undefined) return plainAnswer(404, '404 page not found\n')
  if (request.http.method !== 'GET') throw unknownMethod(['GET'])
  return handler(cluster, request)
}
