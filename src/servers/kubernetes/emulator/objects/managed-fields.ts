import { defined, isJsonObject } from '../../../../protocol/values.js'
import type { ManagedFields } from '../../shapes.js'
import type { CreateOptions } from '../api-request.js'
import type { Call } from '../call.js'
import { apiVersionOf } from '../resources.js'
import { apiTime } from '../store/store.js'
import { type JsonMap, MERGED_SETS, mergeKeyOf } from './patches.js'

// Sets of fields, as managedFields names them (FieldsV1): `f:NAME` a member, `k:{…}` an element of a list with a merge key, `v:…` an element
// of a set, and `.` the map or element itself.

/** Fields by their paths, which are JSON lists of steps; a field whose value differs has changed. */
export type Fields = ReadonlyMap<string, string>

/** Members of metadata that the server sets, or that say which object is meant. */
const UNOWNED_METADATA = new Set([
  ...['creationTimestamp', 'deletionGracePeriodSeconds', 'deletionTimestamp', 'generation', 'managedFields'],
  ...['name', 'namespace', 'resourceVersion', 'selfLink', 'uid'],
])

const SELF = '.'

/** Elements that make a list too long to name each of them: it is owned as a whole. */
const MAX_ELEMENTS = 500

function addFields(found: Map<string, string>, path: readonly string[], name: string, value: unknown): void {
  const add = (steps: readonly string[], shown: unknown) =>
    found.set(JSON.stringify(steps), JSON.stringify(shown))
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    add([...path, SELF], true)
    for (const [member, each] of Object.entries(value))
      addFields(found, [...path, `f:${member}`], member, each)
    return
  }
  if (Array.isArray(value) && value.length > 0 && value.length <= MAX_ELEMENTS) {
    const key = mergeKeyOf(name, value)
    if (key !== undefined) {
      for (const each of value as JsonMap[]) {
        addFields(found, [...path, `k:${JSON.stringify({ [key]: each[key] })}`], '', each)
      }
      return
    }
    if (MERGED_SETS.includes(name)) {
      add([...path, SELF], true)
      for (const each of value) add([...path, `v:${JSON.stringify(each)}`], each)
      return
    }
  }
  if (value !== undefined && value !== null) add(path, value)
}

/** The fields of an object that managers own. */
export function fieldsOf(object: JsonMap): Fields {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(object)) {
    if (name === 'apiVersion' || name === 'kind') continue
    // A reference is one field: its parts mean nothing alone.
    if (name === 'roleRef') found.set(JSON.stringify([`f:${name}`]), JSON.stringify(value))
    else if ((name === 'spec' || name === 'status') && isJsonObject(value)) {
      for (const [member, each] of Object.entries(value))
        addFields(found, [`f:${name}`, `f:${member}`], member, each)
    } else if (name !== 'metadata') addFields(found, [`f:${name}`], name, value)
    if (name !== 'metadata') continue
    for (const [member, each] of Object.entries((value ?? {}) as JsonMap)) {
      if (!UNOWNED_METADATA.has(member)) addFields(found, ['f:metadata', `f:${member}`], member, each)
    }
  }
  return found
}

/** True for the path of a map or an element itself, which a manager of its members need not own. */
export const isSelf = (path: string): boolean => path.endsWith(`${JSON.stringify(SELF)}]`)

/** Writes a set of paths as FieldsV1. */
export function fieldsV1(paths: Iterable<string>): object {
  type Tree = { [step: string]: Tree }
  const root: Tree = Object.create(null)
  for (const path of [...paths].sort()) {
    let tree = root
    for (const step of JSON.parse(path) as string[]) {
      tree[step] ??= Object.create(null) as Tree
      tree = tree[step]
    }
  }
  return root
}

/** Reads FieldsV1 as a set of paths. */
export function pathsOf(fields: unknown): Set<string> {
  const paths = new Set<string>()
  function visit(tree: unknown, path: readonly string[]): void {
    const steps = isJsonObject(tree) ? Object.entries(tree) : []
    if (steps.length === 0 && path.length > 0) paths.add(JSON.stringify(path))
    for (const [step, below] of steps) visit(below, [...path, step])
  }
  visit(fields, [])
  return paths
}

/** A path as the messages of conflicts write it: `.metadata.labels.app`. */
export function shownPath(path: string): string {
  return (JSON.parse(path) as string[])
    .filter(step => step !== SELF)
    .map(step => {
      if (step.startsWith('f:')) return `.${step.slice(2)}`
      if (step.startsWith('k:')) {
        const [[name = '', value] = []] = Object.entries(JSON.parse(step.slice(2)) as JsonMap)
        return `[${name}=${JSON.stringify(value)}]`
      }
      return `[=${step.slice(2)}]`
    })
    .join('')
}

/** The manager in whose name an object is changed. */
export interface Manager {
  readonly manager: string
  readonly operation: ManagedFields['operation']
  readonly apiVersion: string
  readonly time: string
  /** The path by which the manager changed the object, such as `status`; absent for that of the object itself. */
  readonly subresource?: string
}

/** The manager of a request. */
export function managerOf(
  { cluster, resource }: Call,
  { manager }: CreateOptions,
  operation: Manager['operation'],
): Manager {
  const { subresource } = resource
  const time = apiTime(cluster.ports.now())
  return defined({ manager, operation, apiVersion: apiVersionOf(resource), time, subresource })
}

/** Managers by update that are kept; the fields of older ones belong to `ancient-changes`. */
const MAX_UPDATERS = 10

const ANCIENT = 'ancient-changes'

/** One manager and the paths of its fields. */
interface Owner {
  readonly entry: Manager
  readonly paths: ReadonlySet<string>
}

export const ownersOf = (entries: readonly ManagedFields[] = []): Owner[] =>
  entries.map(({ fieldsV1: fields, fieldsType: _type, ...entry }) => ({ entry, paths: pathsOf(fields) }))

/** True for the owner that stands for a manager. */
export const isOwner = (
  { entry }: Owner,
  { manager, operation, apiVersion, subresource }: Manager,
): boolean =>
  entry.manager === manager &&
  entry.operation === operation &&
  entry.apiVersion === apiVersion &&
  entry.subresource === subresource

function written(owners: readonly Owner[]): ManagedFields[] {
  const present = owners.filter(each => each.paths.size > 0)
  const updaters = present.filter(each => each.entry.operation === 'Update')
  const old = updaters.slice(0, Math.max(0, updaters.length - MAX_UPDATERS))
  const [oldest] = old
  const ancient = oldest && {
    entry: { ...oldest.entry, manager: ANCIENT },
    paths: new Set(old.flatMap(each => [...each.paths])),
  }
  const kept = present.filter(each => !old.includes(each))
  return (ancient ? [ancient, ...kept] : kept).map(({ entry, paths }) => {
    const { subresource, ...own } = entry
    return defined({ ...own, fieldsType: 'FieldsV1', fieldsV1: fieldsV1(paths), subresource })
  })
}

/**
 * The owners of fields after a manager changed an object: changed fields belong to that manager alone, and removed ones to nobody.
 * @param entries the owners before
 */
export function ownersAfterUpdate(
  entries: readonly ManagedFields[] | undefined,
  before: Fields,
  after: Fields,
  manager: Manager,
): ManagedFields[] {
  const changed = [...after].filter(([path, value]) => before.get(path) !== value).map(([path]) => path)
  const taken = new Set(changed)
  const owners = ownersOf(entries)
  const own = owners.find(each => isOwner(each, manager))
  const others = owners.map(owner => ({
    entry: owner.entry,
    paths: new Set(
      [...owner.paths].filter(path => after.has(path) && (owner === own || isSelf(path) || !taken.has(path))),
    ),
  }))
  if (changed.length === 0) return written(others)
  const mine = {
    entry: manager,
    paths: new Set([...(own?.paths ?? []), ...changed].filter(path => after.has(path))),
  }
  return written([...others.filter(each => !isOwner(each, manager)), mine])
}

/** The owners of fields after a manager applied a configuration: its fields are exactly those of the configuration. */
export function ownersAfterApply(
  entries: readonly ManagedFields[] | undefined,
  applied: ReadonlySet<string>,
  taken: ReadonlySet<string>,
  after: Fields,
  manager: Manager,
): ManagedFields[] {
  const owners = ownersOf(entries)
  const own = owners.find(each => isOwner(each, manager))
  const others = owners
    .filter(each => each !== own)
    .map(({ entry, paths }) => ({
      entry,
      paths: new Set([...paths].filter(path => after.has(path) && !taken.has(path))),
    }))
  const unchanged =
    own !== undefined && own.paths.size === applied.size && [...applied].every(path => own.paths.has(path))
  const entry = unchanged ? own.entry : manager
  return written([...others, { entry, paths: applied }])
}

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

const filled = (value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, each]) => isSet(each))
          .map(([name, each]) => [name, filled(each)]),
      )
    : value

/** The owner of the fields that a request for an object that is not kept has set. The list is empty when no field has a value. */
export const createdFields = (
  call: Call,
  options: CreateOptions,
  set: { readonly spec?: object; readonly metadata?: object },
): ManagedFields[] =>
  ownersAfterUpdate([], new Map(), fieldsOf(filled(set) as JsonMap), managerOf(call, options, 'Update'))
