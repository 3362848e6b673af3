import { defined } from '../../../../protocol/values.js'
import type { ManagedFields } from '../../shapes.js'
import { type Fields, fieldsV1, isSelf, pathsOf } from '../patch/field-sets.js'

/** The manager in whose name an object is changed. */
export interface Manager {
  readonly manager: string
  readonly operation: ManagedFields['operation']
  readonly apiVersion: string
  readonly time: string
  /** The path by which the manager changed the object, such as `status`; absent for that of the object itself. */
  readonly subresource?: string
}

/** Managers by update that are kept; the fields of older ones belong to `ancient-changes`. */
const MAX_UPDATERS = 10

const ANCIENT = 'ancient-changes'

/** One manager and the paths of its fields. */
export interface Owner {
  readonly entry: Omit<ManagedFields, 'fieldsV1'>
  readonly paths: ReadonlySet<string>
}

export const ownersOf = (entries: readonly ManagedFields[] = []): Owner[] =>
  entries.map(({ fieldsV1: fields, ...entry }) => ({ entry, paths: pathsOf(fields) }))

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
  const old = new Set(updaters.slice(0, Math.max(0, updaters.length - MAX_UPDATERS)))
  const [oldest] = old
  const kept = present.filter(each => !old.has(each))
  const merged =
    oldest === undefined
      ? kept
      : [
          {
            entry: { ...oldest.entry, manager: ANCIENT },
            paths: new Set([...old].flatMap(each => [...each.paths])),
          },
          ...kept,
        ]
  return merged.map(({ entry, paths }) => {
    const { manager, operation, apiVersion, time, fieldsType, subresource } = entry
    return defined({
      manager,
      operation,
      apiVersion,
      time,
      fieldsType,
      fieldsV1: fieldsV1(paths),
      subresource,
    })
  })
}

const entryOf = ({ manager, operation, apiVersion, time, subresource }: Manager): Owner['entry'] =>
  defined({ manager, operation, apiVersion, time, fieldsType: 'FieldsV1', subresource })

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
    entry: entryOf(manager),
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
  const entry = unchanged ? own.entry : entryOf(manager)
  return written([...others, { entry, paths: applied }])
}
