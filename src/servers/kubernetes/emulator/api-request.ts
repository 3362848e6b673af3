import { percentDecoded } from '../../../protocol/http/address.js'
import { type HttpRequest, header, splitUrl } from '../../../protocol/http/message.js'
import { quote } from '../encoding/go-json.js'
import { type FieldProblem, invalidOptions, notSupported, wrongValue } from './api-error.js'

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
  const sentPath = raw.split('/').map(percentDecoded).join('/')
  const parts = raw.split('/').slice(1)
  // One slash at the end is what some clients write; they mean the same.
  if (parts.length > 1 && parts.at(-1) === '') parts.pop()
  const path = `/${parts.map(percentDecoded).join('/')}`
  const query = new URLSearchParams(queryText)
  const resource = parts.includes('') ? undefined : resourceOf(parts.map(percentDecoded))
  if (resource === undefined) return { http, path, sentPath, query, verb: http.method.toLowerCase() }
  const verb = resourceVerb(http.method, resource.name !== '', query)
  return { http, path, sentPath, query, verb, resource: { ...resource, selected: selectedName(verb, query) } }
}

/** The one name that the field selector of a collection selects, which rules about names then allow; else nothing. */
function selectedName(verb: string, query: URLSearchParams): string {
  if (!['list', 'watch', 'deletecollection'].includes(verb)) return ''
  return /^metadata\.name==?([^,!=]+)$/.exec(query.get('fieldSelector') ?? '')?.[1] ?? ''
}

function resourceVerb(method: string, named: boolean, query: URLSearchParams): string {
  const verb = VERBS[method] ?? ''
  if (named) return verb
  if (verb === 'delete') return 'deletecollection'
  if (verb !== 'get') return verb
  return isTrue({ query }, 'watch') ? 'watch' : 'list'
}

/** True for a parameter that Go's strconv.ParseBool reads as true. */
export const isTrue = ({ query }: Pick<ApiRequest, 'query'>, name: string): boolean =>
  /^(1|t|true)$/i.test(query.get(name) ?? '')

/** The User-Agent, or nothing. */
export function userAgent({ http }: ApiRequest): string {
  return header(http, 'user-agent') ?? ''
}

/** The options in the query of a creating request (meta/v1 CreateOptions). */
export interface CreateOptions {
  readonly dryRun: boolean
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  /** The manager that managedFields names. */
  readonly manager: string
}

const MAX_MANAGER = 128

const VALIDATION = ['Ignore', 'Strict', 'Warn']

function managerProblem(manager: string): FieldProblem[] {
  if (Buffer.byteLength(manager) > MAX_MANAGER) {
    const message = `Too long: may not be more than ${MAX_MANAGER} bytes`
    return [{ reason: 'FieldValueTooLong', field: 'fieldManager', message }]
  }
  const at = manager.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u)
  if (at < 0) return []
  const code = manager.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0')
  const place = `(at position ${Buffer.byteLength(manager.slice(0, at))})`
  return [wrongValue('fieldManager', quote(manager), `invalid character U+${code} ${place}`)]
}

/**
 * Reads the query of a creating request. Unknown parameters are ignored.
 * @throws ApiError 422
 */
export function readCreateOptions(request: ApiRequest): CreateOptions {
  const { query } = request
  const dryRun = query.getAll('dryRun').filter(each => each !== '')
  const fieldValidation = query.get('fieldValidation') || 'Warn'
  const manager = query.get('fieldManager') ?? ''
  const problems = managerProblem(manager)
  if (dryRun.some(each => each !== 'All')) {
    problems.push(notSupported('dryRun', `[]string{${dryRun.map(quote).join(', ')}}`, ['All']))
  }
  if (!VALIDATION.includes(fieldValidation)) {
    problems.push(notSupported('fieldValidation', quote(fieldValidation), ['', ...VALIDATION]))
  }
  if (problems.length > 0) throw invalidOptions('CreateOptions', ...problems)
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation as CreateOptions['fieldValidation'],
    manager: manager || (userAgent(request).split('/')[0] ?? '').slice(0, MAX_MANAGER),
  }
}
