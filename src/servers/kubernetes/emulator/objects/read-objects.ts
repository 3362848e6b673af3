import { type LineStream, lineStream } from '../../../../protocol/http/line-stream.js'
import { bytes, type HttpResponse, headerValues } from '../../../../protocol/http/message.js'
import { defined } from '../../../../protocol/values.js'
import type { Pod } from '../../shapes.js'
import { goJson, objectAnswer, preferredForm, uncached } from '../answer.js'
import { type ApiError, invalidOptions, notAllowed, refusal } from '../api-error.js'
import { isTrue } from '../api-request.js'
import type { Call } from '../call.js'
import { apiVersionOf } from '../resources.js'
import type { Change, StoredObject } from '../store/store.js'
import { type ListMeta, matcherOf, pageOf } from './pages.js'
import { found, stored } from './stored.js'

// Watches: the changes of a collection, one JSON object a line, for as long as the client listens.

/** Most watches at once, of one user and of all. */
const MAX_WATCHES = 200
const MAX_WATCHES_OF_USER = 100

/** Longest watch, in seconds, and the default. */
const LONGEST = 3600
const DEFAULT = 1800

/** Time between two bookmarks, in milliseconds. */
const BOOKMARK_INTERVAL = 30_000

const tooMany = (): ApiError =>
  refusal(
    429,
    'TooManyRequests',
    'too many watches: close some, and try again later',
    { retryAfterSeconds: 1 },
    [['retry-after', '1']],
  )

/**
 * True for a watch by WebSocket, which the real server has beside HTTP. fabric8 asks for one first, waits for the end of any other answer, and then
 * watches by HTTP. A server may ignore Upgrade (RFC 9110 §7.8); the answer here ends at once.
 */
const isWebSocket = ({ http }: Call['request']): boolean =>
  headerValues(http, 'upgrade').some(each => each.toLowerCase().includes('websocket'))

/** Watches a collection. */
export function watchObjects(call: Call): HttpResponse {
  const { resource, asked } = call
  const { store, watches } = call.cluster
  const user = call.user.username ?? ''
  if (watches.total() >= MAX_WATCHES || watches.of(user) >= MAX_WATCHES_OF_USER) throw tooMany()
  const start = startOf(call)
  const matches = matcherOf(call.request.query, resource.kind)
  const inside = insideOf(call)
  const form = formOf(call)
  const included = (object: StoredObject | undefined): boolean =>
    object !== undefined && (inside === undefined || object.metadata.namespace === inside) && matches(object)
  const line = (type: Change['type'] | 'BOOKMARK', object: object) => bytes(goJson({ type, object }, false))

  /** The event of a change: an object that begins to match is added, one that ends to match is deleted. */
  function eventOf({ type, resource: changed, object, before }: Change): Uint8Array | undefined {
    if (changed !== stored(resource)) return undefined
    const [was, is] = [included(before), type !== 'DELETED' && included(object)]
    if (!was && !is) return undefined
    return line(is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED', form.one(object))
  }

  function bookmark(annotations?: object): Uint8Array {
    const resourceVersion = String(store.version())
    const metadata = defined({ resourceVersion, creationTimestamp: null, annotations })
    return line('BOOKMARK', { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata })
  }

  function begin(stream: LineStream): () => void {
    const end = store.subscribe(change => {
      const event = eventOf(change)
      if (event !== undefined) stream.write(event)
    })
    const left = watches.enter(user)
    const { bookmarks, initialEvents } = start
    const seconds = isWebSocket(call.request) ? 0 : start.seconds
    if (start.changes === undefined) {
      for (const each of store.list(stored(resource), inside)) {
        if (matches(each)) stream.write(line('ADDED', form.one(each)))
      }
    } else {
      for (const event of start.changes().map(eventOf)) if (event !== undefined) stream.write(event)
    }
    if (initialEvents) stream.write(bookmark({ 'k8s.io/initial-events-end': 'true' }))
    const marks = bookmarks ? setInterval(() => stream.write(bookmark()), BOOKMARK_INTERVAL) : undefined
    const timer = setTimeout(() => stream.end(), seconds * 1000)
    marks?.unref()
    timer.unref()
    return () => {
      end()
      left()
      clearInterval(marks)
      clearTimeout(timer)
    }
  }

  const namespace = asked.namespace || undefined
  call.publish(defined({ type: 'cluster.watch_started', resource: resource.name, namespace, by: user }))
  return { status: 200, headers: uncached(), body: new Uint8Array(), stream: lineStream(begin) }
}

/** The place where a watch starts. */
interface Start {
  /** Returns the changes since the version that the client knows; absent: the watch begins with all objects. */
  readonly changes?: () => readonly Change[]
  readonly bookmarks: boolean
  /** True for a watch that reports all objects first, and then a bookmark (streaming lists). */
  readonly initialEvents: boolean
  readonly seconds: number
}

/** @throws ApiError 410 for a version whose changes are forgotten, 422 for options that do not fit */
function startOf({ cluster: { store }, request }: Call): Start {
  const { query } = request
  const version = query.get('resourceVersion') ?? ''
  const asked = Number(query.get('timeoutSeconds') ?? DEFAULT)
  const seconds = Number.isFinite(asked) && asked > 0 ? Math.min(asked, LONGEST) : DEFAULT
  const initialEvents = isTrue(request, 'sendInitialEvents')
  if (initialEvents && query.get('resourceVersionMatch') !== 'NotOlderThan') {
    const rule = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'
    throw invalidOptions('ListOptions', notAllowed('resourceVersionMatch', rule))
  }
  const bookmarks = initialEvents || isTrue(request, 'allowWatchBookmarks')
  const options = { bookmarks, initialEvents, seconds }
  if (initialEvents || version === '' || version === '0') return options
  if (!/^\d{1,15}$/.test(version)) {
    const message = `Invalid value: "${version.slice(0, 40)}"`
    throw invalidOptions('ListOptions', { reason: 'FieldValueInvalid', field: 'resourceVersion', message })
  }
  const known = Number(version)
  if (store.after(known) === undefined) {
    throw refusal(410, 'Expired', `too old resource version: ${version} (${store.version()})`)
  }
  // Changes between the answer and its first line are not lost.
  return { ...options, changes: () => store.after(known) ?? [] }
}

// The handlers that read stored objects: list and get, and the forms that clients prefer.

const forms = (...kinds: readonly string[]) =>
  ['v1', 'v1beta1'].flatMap(version => kinds.map(kind => `meta.k8s.io/${version} ${kind}`))

const TABLES = forms('Table')
const METADATA = forms('PartialObjectMetadata', 'PartialObjectMetadataList')

/** Writes an object and a list in the form that a client prefers: a table, the metadata alone, or the whole objects. */
function formOf({ cluster, request, resource }: Call) {
  const form = preferredForm(request.http, [...TABLES, ...METADATA])
  const apiVersion = form?.split(' ')[0] ?? apiVersionOf(resource)
  const partial = ({ metadata }: StoredObject) => ({ kind: 'PartialObjectMetadata', apiVersion, metadata })
  const table = (rows: readonly StoredObject[], metadata: ListMeta): object => {
    const columns = columnsOf(resource.kind)
    const now = cluster.ports.now()
    /** The part of an object that goes into its row: None, Metadata or Object. */
    const includes = request.query.get('includeObject') ?? 'Metadata'
    const included = (object: StoredObject) =>
      includes === 'None' ? {} : { object: includes === 'Object' ? object : partial(object) }
    return {
      kind: 'Table',
      apiVersion,
      metadata,
      columnDefinitions: columns.map(({ name, type, format, description }) => ({
        name,
        type,
        format,
        description,
        priority: 0,
      })),
      rows: rows.map(each => ({ cells: columns.map(({ cell }) => cell(each, now)), ...included(each) })),
    }
  }
  const list =
    (kind: string, item: (row: StoredObject) => object) =>
    (rows: readonly StoredObject[], metadata: ListMeta): object => ({
      kind,
      apiVersion,
      metadata,
      items: rows.map(item),
    })
  if (form === undefined) {
    const item = ({ kind: _kind, apiVersion: _version, ...rest }: StoredObject) => rest
    return { one: (object: StoredObject): object => object, list: list(`${resource.kind}List`, item) }
  }
  if (METADATA.includes(form)) return { one: partial, list: list('PartialObjectMetadataList', partial) }
  const one = (object: StoredObject) => table([object], { resourceVersion: object.metadata.resourceVersion })
  return { one, list: table }
}

/** The namespace of a collection; undefined for all. */
const insideOf = ({ resource, asked: { namespace } }: Call): string | undefined =>
  resource.namespaced && namespace !== '' ? namespace : undefined

/** Lists the objects of a resource, in one namespace or in all, in pages where the client wants them. */
export function listObjects(call: Call): HttpResponse {
  const { rows, meta } = pageOf(call, insideOf(call))
  return objectAnswer(call.request, 200, formOf(call).list(rows, meta))
}

/** Answers with one object. */
export function getObject(call: Call): HttpResponse {
  const object = found(call)
  return objectAnswer(call.request, 200, formOf(call).one(object))
}

// The columns of the tables that kubectl prints (meta/v1 Table).

/** A column: its heading, its type, and the value of its cells. */
interface Column {
  readonly name: string
  readonly type: 'string' | 'integer'
  readonly format: 'name' | ''
  readonly description: string
  readonly cell: (object: StoredObject, now: number) => string | number
}

type Cell = Column['cell']

const text = (name: string, description: string, cell: Cell): Column => ({
  name,
  type: 'string',
  format: '',
  description,
  cell,
})

const integer = (name: string, description: string, cell: Cell): Column => ({
  ...text(name, description, cell),
  type: 'integer',
})

/** An age as in kubectl's columns: `4m52s`, `3h`, `12d`. */
function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  const years = Math.floor(days / 365)
  const pair = (big: number, bigUnit: string, small: number, smallUnit: string) =>
    small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`
  if (seconds < 120) return `${seconds}s`
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  if (days < 8) return pair(days, 'd', hours % 24, 'h')
  if (years < 2) return `${days}d`
  return years < 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`
}

const NAME: Column = {
  ...text('Name', 'Name must be unique within a namespace.', ({ metadata }) => metadata.name),
  format: 'name',
}

const AGE = text('Age', 'CreationTimestamp is the time when this object was created.', ({ metadata }, now) =>
  age(now - Date.parse(metadata.creationTimestamp)),
)

const CREATED = text('Created At', 'The time of creation', ({ metadata }) => metadata.creationTimestamp)

const phase = ({ status }: StoredObject): string => (status as { phase?: string } | undefined)?.phase ?? ''

/** The condition of a node as kubectl shows it. A node without a kubelet has none. */
function nodeStatus({ spec, status }: StoredObject): string {
  const { conditions = [] } = (status ?? {}) as { conditions?: { type?: string; status?: string }[] }
  const ready = conditions.find(each => each.type === 'Ready')
  const shown = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  const { unschedulable } = (spec ?? {}) as { unschedulable?: boolean }
  return unschedulable === true ? `${shown},SchedulingDisabled` : shown
}

const kubeletVersion = ({ status }: StoredObject): string =>
  (status as { nodeInfo?: { kubeletVersion?: string } } | undefined)?.nodeInfo?.kubeletVersion ?? ''

const ROLE = text('Role', 'The role that the binding gives away', ({ roleRef }) => {
  const { kind, name } = roleRef as { kind: string; name: string }
  return `${kind}/${name}`
})

/** The columns between the name and the age, by kind. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  ClusterRoleBinding: [ROLE],
  RoleBinding: [ROLE],
  ConfigMap: [
    integer(
      'Data',
      'How many keys the map has',
      ({ data, binaryData }) => Object.keys({ ...(data as object), ...(binaryData as object) }).length,
    ),
  ],
  Lease: [
    text('Holder', 'The present holder of the lease', ({ spec }) =>
      String((spec as { holderIdentity?: string } | undefined)?.holderIdentity ?? ''),
    ),
  ],
  Namespace: [text('Status', 'The status of the namespace', phase)],
  Node: [
    text('Status', 'The status of the node', nodeStatus),
    text('Roles', 'The roles of the node', () => '<none>'),
  ],
  Pod: [
    text('Ready', 'How many containers are ready', ({ spec }) =>
      (spec as Pod['spec'])?.nodeName === undefined ? '0/1' : '1/1',
    ),
    text('Status', 'The status of the pod', phase),
    text('Restarts', 'How often containers restarted', () => '0'),
  ],
  Secret: [
    text('Type', 'What the secret is for', ({ type }) => (typeof type === 'string' ? type : '')),
    integer('Data', 'How many keys the secret has', ({ data }) => Object.keys((data as object) ?? {}).length),
  ],
  ServiceAccount: [integer('Secrets', 'How many secrets the account has', () => 0)],
}

function columnsOf(kind: string): readonly Column[] {
  const last = kind === 'ClusterRole' || kind === 'Role' ? CREATED : AGE
  const columns = [NAME, ...(COLUMNS[kind] ?? []), last]
  return kind === 'Node'
    ? [...columns, text('Version', 'The version of the kubelet', kubeletVersion)]
    : columns
}
