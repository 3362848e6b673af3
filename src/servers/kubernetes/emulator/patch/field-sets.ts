import { isJsonObject } from '../../../../protocol/values.js'
import { type JsonMap, MERGED_SETS, mergeKeyOf } from './json.js'

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
