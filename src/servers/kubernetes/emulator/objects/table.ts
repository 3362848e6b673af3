import type { Pod } from '../../shapes.js'
import type { Resource } from '../resources.js'
import type { StoredObject } from '../store/model.js'
import { age } from '../times.js'
import type { ListMeta } from './pages.js'

/** Forms of a table that are served. */
export const TABLE_FORMS = ['meta.k8s.io/v1 Table', 'meta.k8s.io/v1beta1 Table']

/** A column: its heading, its type, and the value of its cells. */
interface Column {
  readonly name: string
  readonly type: 'string' | 'integer'
  readonly format?: 'name'
  readonly description: string
  readonly cell: (object: StoredObject, now: number) => string | number
}

const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
  cell: ({ metadata }) => metadata.name,
}

const AGE: Column = {
  name: 'Age',
  type: 'string',
  description: 'CreationTimestamp is the time when this object was created.',
  cell: ({ metadata }, now) => age(now - Date.parse(metadata.creationTimestamp)),
}

const phase = ({ status }: StoredObject): string => (status as { phase?: string } | undefined)?.phase ?? ''

/** The condition of a node as kubectl shows it. A node without a kubelet has none. */
function nodeStatus({ spec, status }: StoredObject): string {
  const { conditions = [] } = (status ?? {}) as { conditions?: { type?: string; status?: string }[] }
  const ready = conditions.find(each => each.type === 'Ready')
  const shown = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  const { unschedulable } = (spec ?? {}) as { unschedulable?: boolean }
  return unschedulable === true ? `${shown},SchedulingDisabled` : shown
}

const VERSION: Column = {
  name: 'Version',
  type: 'string',
  description: 'The version of the kubelet',
  cell: ({ status }) =>
    (status as { nodeInfo?: { kubeletVersion?: string } } | undefined)?.nodeInfo?.kubeletVersion ?? '',
}

const ROLE: Column = {
  name: 'Role',
  type: 'string',
  description: 'The role that the binding gives away',
  cell: ({ roleRef }) => {
    const { kind, name } = roleRef as { kind: string; name: string }
    return `${kind}/${name}`
  },
}

const CREATED: Column = {
  name: 'Created At',
  type: 'string',
  description: 'The time of creation',
  cell: ({ metadata }) => metadata.creationTimestamp,
}

const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  ClusterRoleBinding: [ROLE],
  RoleBinding: [ROLE],
  ConfigMap: [
    {
      name: 'Data',
      type: 'integer',
      description: 'How many keys the map has',
      cell: ({ data, binaryData }) => Object.keys({ ...(data as object), ...(binaryData as object) }).length,
    },
  ],
  Lease: [
    {
      name: 'Holder',
      type: 'string',
      description: 'The present holder of the lease',
      cell: ({ spec }) => String((spec as { holderIdentity?: string } | undefined)?.holderIdentity ?? ''),
    },
  ],
  Namespace: [{ name: 'Status', type: 'string', description: 'The status of the namespace', cell: phase }],
  Node: [
    { name: 'Status', type: 'string', description: 'The status of the node', cell: nodeStatus },
    { name: 'Roles', type: 'string', description: 'The roles of the node', cell: () => '<none>' },
  ],
  Pod: [
    {
      name: 'Ready',
      type: 'string',
      description: 'How many containers are ready',
      cell: object => ((object.spec as Pod['spec'])?.nodeName === undefined ? '0/1' : '1/1'),
    },
    { name: 'Status', type: 'string', description: 'The status of the pod', cell: phase },
    { name: 'Restarts', type: 'string', description: 'How often containers restarted', cell: () => '0' },
  ],
  Secret: [
    {
      name: 'Type',
      type: 'string',
      description: 'What the secret is for',
      cell: ({ type }) => (typeof type === 'string' ? type : ''),
    },
    {
      name: 'Data',
      type: 'integer',
      description: 'How many keys the secret has',
      cell: object => Object.keys((object as { data?: object }).data ?? {}).length,
    },
  ],
  ServiceAccount: [
    { name: 'Secrets', type: 'integer', description: 'How many secrets the account has', cell: () => 0 },
  ],
}

/** Columns behind the age, by kind. */
const AFTER_AGE: Readonly<Record<string, readonly Column[]>> = { Node: [VERSION] }

/** Objects as the table that kubectl prints (meta/v1 Table). */
export function tableOf(options: {
  readonly resource: Resource
  readonly rows: readonly StoredObject[]
  readonly now: number
  readonly apiVersion: string
  /** The part of each object that goes into a row: None, Metadata or Object. */
  readonly includes: string
  readonly metadata: ListMeta
}): object {
  const { resource, rows, now, apiVersion, includes, metadata } = options
  const roles = resource.kind === 'ClusterRole' || resource.kind === 'Role'
  const columns = [
    NAME,
    ...(COLUMNS[resource.kind] ?? []),
    roles ? CREATED : AGE,
    ...(AFTER_AGE[resource.kind] ?? []),
  ]
  const included = (object: StoredObject): object => {
    if (includes === 'None') return {}
    if (includes === 'Object') return { object }
    return { object: { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata } }
  }
  return {
    kind: 'Table',
    apiVersion,
    metadata,
    columnDefinitions: columns.map(({ name, type, format = '', description }) => ({
      name,
      type,
      format,
      description,
      priority: 0,
    })),
    rows: rows.map(each => ({ cells: columns.map(({ cell }) => cell(each, now)), ...included(each) })),
  }
}
