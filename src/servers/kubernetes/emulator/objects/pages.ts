import { defined } from '../../../../protocol/values.js'
import { quote } from '../../encoding/go-json.js'
import {
  ApiError,
  badRequest,
  type FieldProblem,
  invalidOptions,
  notAllowed,
  notSupported,
  refusal,
} from '../api-error.js'
import type { Call } from '../call.js'
import type { StoredObject } from '../store/store.js'
import { matcherOf } from './selectors.js'
import { stored } from './stored.js'

// Lists in pages (meta/v1 ListOptions). The pages of a list show the objects of one version, which the history of the store brings back.

/** The metadata of a list (meta/v1 ListMeta). */
export interface ListMeta {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

const MATCHES = ['Exact', 'NotOlderThan']

const placeOf = ({ metadata }: StoredObject, inside: string | undefined): string =>
  inside === undefined && metadata.namespace !== undefined
    ? `${metadata.namespace}/${metadata.name}`
    : metadata.name

/** The objects of a collection at a version. Returns undefined when the store has forgotten that version. */
function objectsAt(
  { cluster: { store }, resource }: Call,
  inside: string | undefined,
  version: number,
): StoredObject[] | undefined {
  const changes = store.after(version)
  if (changes === undefined) return undefined
  const present = store.list(stored(resource), inside)
  const objects = new Map(present.map(each => [placeOf(each, inside), each]))
  for (const { resource: changed, object, before } of [...changes].reverse()) {
    if (changed !== stored(resource)) continue
    if (inside !== undefined && object.metadata.namespace !== inside) continue
    if (before === undefined) objects.delete(placeOf(object, inside))
    else objects.set(placeOf(object, inside), before)
  }
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

function optionsProblem(query: URLSearchParams): FieldProblem | undefined {
  const field = 'resourceVersionMatch'
  const match = query.get(field) ?? ''
  const version = query.get('resourceVersion') ?? ''
  if (match === '') return undefined
  if (version === '') return notAllowed(field, `${field} is forbidden unless resourceVersion is provided`)
  if (query.get('continue')) return notAllowed(field, `${field} is forbidden when continue is provided`)
  if (!MATCHES.includes(match)) return notSupported(field, quote(match), [...MATCHES, ''])
  if (match !== 'Exact' || version !== '0') return undefined
  return notAllowed(field, `${field} "exact" is forbidden for resourceVersion "0"`)
}

/** Reads `limit`; 0 for no limit. @throws ApiError 400 */
function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? ''
  if (text === '') return 0
  if (!/^[+-]?\d{1,18}$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${quote(text.slice(0, 40))}: invalid syntax`)
  }
  return Math.max(0, Number(text))
}

/** @throws ApiError 504 for a version of the future */
function checkPresent(version: number, present: number): void {
  if (version <= present) return
  throw refusal(504, 'Timeout', `Too large resource version: ${version}, current: ${present}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
}

/** The version that a list shows: absent for the present one. `from` is the place where its page begins. */
function wanted(
  { cluster: { store }, request: { query } }: Call,
  limit: number,
): { readonly version?: number; readonly from?: Position } {
  const token = query.get('continue') ?? ''
  const text = query.get('resourceVersion') ?? ''
  if (token !== '') {
    const from = positionOf(token)
    if (text !== '' && text !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue')
    }
    return from.version < 0 ? { from } : { from, version: from.version }
  }
  if (!/^\d{1,15}$/.test(text) || text === '0') return {}
  const version = Number(text)
  checkPresent(version, store.version())
  const match = query.get('resourceVersionMatch') ?? ''
  // With a limit, and no match, the real server takes the version exactly.
  return match === 'Exact' || (match === '' && limit > 0) ? { version } : {}
}

/**
 * Returns the page of a collection that a request asks for: at most `limit` objects, and the token of the next page.
 * @param inside the namespace; undefined for all
 * @throws ApiError 400 or 422 for options that do not fit, 410 for a version that is forgotten
 */
export function pageOf(
  call: Call,
  inside: string | undefined,
): { readonly rows: readonly StoredObject[]; readonly meta: ListMeta } {
  const { resource, cluster } = call
  const { store } = cluster
  const { query } = call.request
  const problem = optionsProblem(query)
  if (problem !== undefined) throw invalidOptions('ListOptions', problem)
  // A list of any version comes from a cache in the real server, which has no pages.
  const limit = query.get('resourceVersion') === '0' && !query.get('continue') ? 0 : limitOf(query)
  const { version, from } = wanted(call, limit)
  const objects =
    version === undefined ? store.list(stored(resource), inside) : objectsAt(call, inside, version)
  if (objects === undefined) {
    if (from !== undefined) throw expiredToken(from)
    throw refusal(410, 'Expired', 'The resourceVersion for the provided list is too old.')
  }
  const selected = Boolean(query.get('labelSelector') || query.get('fieldSelector'))
  const matches = matcherOf(query, resource.kind)
  const rest = from === undefined ? objects : objects.filter(each => placeOf(each, inside) >= from.start)
  const matching = rest.filter(matches)
  const shown = version ?? store.version()
  const rows = limit === 0 ? matching : matching.slice(0, limit)
  const last = rows.at(-1)
  const more =
    last !== undefined && last !== (selected ? rest.at(-1) : matching.at(-1)) && rows.length === limit
  if (!more) return { rows, meta: { resourceVersion: String(shown) } }
  return {
    rows,
    meta: defined({
      resourceVersion: String(shown),
      continue: continueToken({ version: shown, start: `${placeOf(last, inside)}\0` }),
      // The real server counts only lists without selectors.
      remainingItemCount: selected ? undefined : matching.length - rows.length,
    }),
  }
}

/** The place where the next page of a list begins. */
interface Position {
  /** The version that the list shows; -1 for the present one. */
  readonly version: number
  /** The place of the last object of the page before, and a zero character. */
  readonly start: string
}

const API_VERSION = 'meta.k8s.io/v1'

const invalidToken = (problem: string): ApiError =>
  badRequest(`invalid continue token: continue key is not valid${problem}`)

/** Writes a position as the token that `continue` takes. */
function continueToken({ version, start }: Position): string {
  return Buffer.from(JSON.stringify({ v: API_VERSION, rv: version, start })).toString('base64url')
}

function parsed(token: string): { v?: unknown; rv?: unknown; start?: unknown } {
  const strange = /[^A-Za-z0-9_-]/.exec(token)
  if (strange !== null) throw invalidToken(`: illegal base64 data at input byte ${strange.index}`)
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Go names the character; clients only show the text.
  }
  throw invalidToken(': invalid character in the token')
}

/** Reads the token of a page. @throws ApiError 400 for a token that no server wrote */
function positionOf(token: string): Position {
  const { v, rv, start } = parsed(token)
  if (v !== API_VERSION) throw invalidToken(': server does not recognize this encoded version null')
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0) {
    throw invalidToken(`: incorrect encoded start resourceVersion (version ${API_VERSION})`)
  }
  if (typeof start !== 'string' || start === '') {
    throw invalidToken(`: encoded start key empty (version ${API_VERSION})`)
  }
  return { version: rv, start }
}

const TOO_OLD = 'The provided continue parameter is too old to display a consistent list result. '

/** The refusal of a token whose version is forgotten. It has a token that goes on with the present objects. */
function expiredToken({ start }: Position): ApiError {
  const advice =
    'You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'
  const { status } = refusal(410, 'Expired', `${TOO_OLD}${advice}`)
  return new ApiError({ ...status, metadata: { continue: continueToken({ version: -1, start }) } })
}
