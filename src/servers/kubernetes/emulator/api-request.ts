import { type HttpRequest, header, headerValues, splitUrl } from '../../../protocol/http/message.js'

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
  /** The name that the field selector of a collection selects; empty without one. */
  readonly selected: string
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
function resourceOf(parts: readonly string[]): Omit<RequestedResource, 'selected'> | undefined {
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
  const verb = resourceVerb(http.method, resource, query)
  return { http, path, sentPath, query, verb, resource: { ...resource, selected: selectedName(verb, query) } }
}

/** The one name that the field selector of a collection selects, which rules about names then allow; else nothing. */
function selectedName(verb: string, query: URLSearchParams): string {
  if (!['list', 'watch', 'deletecollection'].includes(verb)) return ''
  return /^metadata\.name==?([^,!=]+)$/.exec(query.get('fieldSelector') ?? '')?.[1] ?? ''
}

function resourceVerb(
  method: string,
  { name }: Pick<RequestedResource, 'name'>,
  query: URLSearchParams,
): string {
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

/** The headers of a request in the name of another user (authentication/v1). */
export interface ImpersonationHeaders {
  readonly user?: string | undefined
  readonly groups: readonly string[]
  readonly uid?: string | undefined
  /** Keys in lower case, as they were sent. */
  readonly extra: readonly (readonly [key: string, value: string])[]
}

const EXTRA = 'impersonate-extra-'

/** Reads the headers that name another user. Go reads the bytes of a header as UTF-8. */
export function impersonationHeaders({ http }: ApiRequest): ImpersonationHeaders {
  const utf8 = (value: string) => Buffer.from(value, 'latin1').toString('utf8')
  const first = (name: string) => headerValues(http, name).map(utf8)[0]
  return {
    user: first('impersonate-user'),
    groups: headerValues(http, 'impersonate-group').map(utf8),
    uid: first('impersonate-uid'),
    extra: http.headers
      .filter(([name]) => name.toLowerCase().startsWith(EXTRA))
      .map(([name, value]) => [name.toLowerCase().slice(EXTRA.length), utf8(value)] as const),
  }
}
