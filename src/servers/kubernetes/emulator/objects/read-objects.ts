import type { HttpResponse } from '../../../../protocol/http/message.js'
import type { Pod } from '../../shapes.js'
import { objectAnswer, preferredForm } from '../answer.js'
import type { Call } from '../call.js'
import { apiVersionOf } from '../resources.js'
import type { StoredObject } from '../store/store.js'
import { type ListMeta, pageOf } from './pages.js'
import { found } from './stored.js'

// The handlers that read stored objects: list and get, and the forms that clients prefer.

const forms = (...kinds: readonly string[]) =>
  ['v1', 'v1beta1'].flatMap(version => kinds.map(kind => `meta.k8s.io/${version} ${kind}`))

const TABLES = forms('Table')
const METADATA = forms('PartialObjectMetadata', 'PartialObjectMetadataList')

/** Writes an object and a list in the form that a client prefers: a table, the metadata alone, or the whole objects. */
export function formOf({ cluster, request, resource }: Call) {
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
export const insideOf = ({ resource, asked: { namespace } }: Call): string | undefined =>
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
