import { defined } from '../../../../protocol/values.js'
import { badRequest, type FieldProblem, invalid, refusal } from '../api-error.js'
import type { Call, Cluster } from '../call.js'
import { quote } from '../go/quote.js'
import type { Resource } from '../resources.js'
import type { StoredObject } from '../store/model.js'
import { continueToken, expiredToken, type Position, positionOf } from './continue-token.js'
import { matcherOf } from './selectors.js'
import { stored } from './stored.js'

// Lists in pages (meta/v1 ListOptions). The pages of a list show the objects of one version, which the history of the store brings back.

/** The metadata of a list (meta/v1 ListMeta). */
export interface ListMeta {
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

/** One page of a collection. */
export interface Page {
  readonly rows: readonly StoredObject[]
  readonly meta: ListMeta
}

const MATCHES = ['Exact', 'NotOlderThan']

/** The version that a list shows: the present one, or an earlier one, and the page that begins there. */
type Wanted = { readonly version?: number; readonly from?: Position }

const placeOf = ({ metadata }: StoredObject, inside: string | undefined): string =>
  inside === undefined && metadata.namespace !== undefined
    ? `${metadata.namespace}/${metadata.name}`
    : metadata.name

/** The objects of a collection at a version. Returns undefined when the store has forgotten that version. */
function objectsAt(
  { store }: Cluster,
  resource: Resource,
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

function checkOptions(query: URLSearchParams): void {
  const match = query.get('resourceVersionMatch') ?? ''
  const version = query.get('resourceVersion') ?? ''
  if (match === '') return
  const problem = (reason: FieldProblem['reason'], message: string) =>
    invalid({ group: 'meta.k8s.io', name: 'ListOptions' }, '', [
      { reason, field: 'resourceVersionMatch', message },
    ])
  const forbidden = (message: string) => problem('FieldValueForbidden', `Forbidden: ${message}`)
  if (version === '') throw forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided')
  if (query.get('continue')) throw forbidden('resourceVersionMatch is forbidden when continue is provided')
  if (!MATCHES.includes(match)) {
    const supported = [...MATCHES, ''].map(quote).join(', ')
    throw problem(
      'FieldValueNotSupported',
      `Unsupported value: ${quote(match)}: supported values: ${supported}`,
    )
  }
  if (match === 'Exact' && version === '0') {
    throw forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
  }
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

function wanted({ store }: Cluster, query: URLSearchParams, limit: number): Wanted {
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
export function pageOf(cluster: Cluster, call: Call, resource: Resource, inside: string | undefined): Page {
  const { store } = cluster
  const { query } = call.request
  checkOptions(query)
  // A list of any version comes from a cache in the real server, which has no pages.
  const limit = query.get('resourceVersion') === '0' && !query.get('continue') ? 0 : limitOf(query)
  const { version, from } = wanted(cluster, query, limit)
  const objects =
    version === undefined
      ? store.list(stored(resource), inside)
      : objectsAt(cluster, resource, inside, version)
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
