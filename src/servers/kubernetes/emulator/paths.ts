import { bytes, type HttpResponse } from '../../../protocol/http/message.js'
import { accepts, preferredForm } from './accept.js'
import { goJson, isPretty, objectAnswer, plainAnswer } from './answer.js'
import { MEDIA_TYPES, notAcceptable, unknownMethod } from './api-error.js'
import type { ApiRequest } from './api-request.js'
import type { Cluster } from './call.js'
import {
  AGGREGATED_FORMS,
  aggregated,
  apiGroup,
  apiGroupList,
  apiVersions,
  resourceList,
} from './discovery.js'
import { openApiIndex, openApiOf } from './openapi.js'
import { GROUPS } from './resources.js'
import { SERVER_VERSION } from './server-version.js'

// The handlers of paths that name no resource.

type PathHandler = (cluster: Cluster, request: ApiRequest) => HttpResponse | Promise<HttpResponse>

const CORE = { group: '', version: 'v1' } as const

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

/** A JSON answer that is always indented. */
function indented(object: object): HttpResponse {
  const headers = [
    ['cache-control', 'no-cache, private'],
    ['content-type', 'application/json'],
  ] as const
  return { status: 200, headers, body: bytes(goJson(object, true)) }
}

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

const jwks: PathHandler = async ({ keyring }, request) => {
  const { keys } = (await keyring()).published()
  const written = keys.map(({ kid, n, e }) => ({ use: 'sig', kty: 'RSA', kid, alg: 'RS256', n, e }))
  return published(request, 'application/jwk-set+json', { keys: written })
}

/** Discovery in the form that the client prefers. */
function discovery(
  groups: readonly { group: string; version: string }[],
  plain: (cluster: Cluster) => object,
): PathHandler {
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
function document(object: () => object, contentType = 'application/json'): PathHandler {
  return (_, request) => ({
    status: 200,
    headers: [
      ['cache-control', 'no-cache, private'],
      ['content-type', contentType],
    ],
    body: bytes(goJson(object(), isPretty(request))),
  })
}

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
  ['/version', () => indented(VERSION)],
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
