import { type HttpRequest, header, splitUrl } from '../../http/message.js'

/** The subject of a request (apiserver, RequestInfo). */
export interface ApiRequest {
  readonly http: HttpRequest
  /** Decoded, without a trailing slash. */
  readonly path: string
  /** Decoded, as it was sent. */
  readonly sentPath: string
  readonly query: URLSearchParams
  /** `get`, `list`, `create`, …; the method in lower case where no resource is meant. */
  readonly verb: string
  /** Absent where the path names no resource. */
  readonly resource?: RequestedResource
}

/** The resource a path names. Empty texts stand for what it leaves out. */
export interface RequestedResource {
  readonly group: string
  readonly version: string
  readonly namespace: string
  readonly resource: string
  readonly name: string
  readonly subresource: string
  /** Parts beyond the subresource. */
  readonly rest: readonly string[]
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** The subresources of a namespace: path segments after its name that are not resources in it. */
const NAMESPACE_SUBRESOURCES = ['status', 'finalize']

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The resource of `/api/VERSION/…` and `/apis/GROUP/VERSION/…`. */
function resourceOf(parts: readonly string[]): RequestedResource | undefined {
  const core = parts[0] === 'api'
  if (!core && parts[0] !== 'apis') return undefined
  const [group, version, ...rest] = core ? ['', ...parts.slice(1)] : parts.slice(1)
  const [first] = rest
  if (group === undefined || version === undefined || first === undefined) return undefined
  const [, owner = '', inner] = rest
  const namespaced = first === 'namespaces' && inner !== undefined && !NAMESPACE_SUBRESOURCES.includes(inner)
  const [resource = '', name = '', subresource = '', ...beyond] = namespaced ? rest.slice(2) : rest
  const namespace = first === 'namespaces' ? owner : ''
  return { group, version, namespace, resource, name, subresource, rest: beyond }
}

/** Reads what a request is about. Nothing is judged yet. */
export function readApiRequest(http: HttpRequest): ApiRequest {
  const { path: raw, query: queryText } = splitUrl(http.url)
  const sentPath = raw.split('/').map(decoded).join('/')
  const parts = raw.split('/').slice(1)
  // One slash at the end is what some clients write; they mean the same.
  if (parts.length > 1 && parts.at(-1) === '') parts.pop()
  const path = `/${parts.map(decoded).join('/')}`
  const query = new URLSearchParams(queryText)
  const resource = parts.includes('') ? undefined : resourceOf(parts.map(decoded))
  if (resource === undefined) return { http, path, sentPath, query, verb: http.method.toLowerCase() }
  return { http, path, sentPath, query, verb: resourceVerb(http.method, resource, query), resource }
}

function resourceVerb(method: string, { name }: RequestedResource, query: URLSearchParams): string {
  const verb = VERBS[method] ?? ''
  if (name !== '') return verb
  if (verb === 'delete') return 'deletecollection'
  if (verb !== 'get') return verb
  return /^(1|t|true)$/i.test(query.get('watch') ?? '') ? 'watch' : 'list'
}

/** The User-Agent, or nothing. */
export function userAgent({ http }: ApiRequest): string {
  return header(http, 'user-agent') ?? ''
}
