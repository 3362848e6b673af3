import { isJsonObject } from '../../../../protocol/values.js'

/** A map of JSON. */
export type JsonMap = Readonly<Record<string, unknown>>

/** True for two equal JSON values. The order of members makes no difference. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((each, i) => sameJson(each, b[i]))
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every(name => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  )
}

/** Keys by which lists of objects are merged, by the name of the list (`patchMergeKey` of the API). Other lists are replaced. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  env: 'name',
  ephemeralContainers: 'name',
  imagePullSecrets: 'name',
  initContainers: 'name',
  ownerReferences: 'uid',
  secrets: 'name',
  volumeMounts: 'mountPath',
  volumes: 'name',
}

/** Lists of texts that are merged as sets. */
export const MERGED_SETS: readonly string[] = ['finalizers']

/** The merge key of a list, when all its elements have it. */
export function mergeKeyOf(name: string, ...lists: readonly unknown[]): string | undefined {
  const key = Object.hasOwn(MERGE_KEYS, name) ? MERGE_KEYS[name] : undefined
  if (key === undefined) return undefined
  const keyed = lists.every(
    list => Array.isArray(list) && list.every(each => isJsonObject(each) && typeof each[key] === 'string'),
  )
  return keyed ? key : undefined
}

/** Applies a merge patch (RFC 7386 §2): maps are merged, null removes, and every other value replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch as JsonMap)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

/** Merges an applied configuration into an object: maps, keyed lists and sets by element; every other value replaces. */
export function mergeApplied(live: unknown, applied: unknown, name = ''): unknown {
  if (isJsonObject(live) && isJsonObject(applied)) {
    const merged = new Map(Object.entries(live))
    for (const [member, value] of Object.entries(applied)) {
      if (value !== null) merged.set(member, mergeApplied(merged.get(member), value, member))
    }
    return Object.fromEntries(merged)
  }
  const key = mergeKeyOf(name, live, applied)
  if (key !== undefined) {
    const merged = new Map((live as JsonMap[]).map(each => [each[key], each as unknown]))
    for (const each of applied as JsonMap[]) merged.set(each[key], mergeApplied(merged.get(each[key]), each))
    return [...merged.values()]
  }
  if (MERGED_SETS.includes(name) && Array.isArray(live) && Array.isArray(applied)) {
    return [...new Set([...live, ...applied])]
  }
  return applied
}

/** Returns an object without the field of a path (FieldsV1 steps). */
export function withoutField(value: unknown, path: readonly string[]): unknown {
  const [step = '', ...rest] = path
  if (step.startsWith('f:') && isJsonObject(value)) {
    const wanted = step.slice(2)
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) => {
        if (name !== wanted) return [[name, each]]
        const below = rest.length === 0 ? undefined : withoutField(each, rest)
        return below === undefined ? [] : [[name, below]]
      }),
    )
  }
  if (step.startsWith('k:') && Array.isArray(value)) {
    const [[key = '', wanted] = []] = Object.entries(JSON.parse(step.slice(2)) as JsonMap)
    const kept = value.flatMap(each => {
      if (!isJsonObject(each) || each[key] !== wanted) return [each]
      // The element itself goes with its key, which is its identity.
      const whole = rest.length === 0 || rest[0] === `f:${key}` || rest[0] === '.'
      return whole ? [] : [withoutField(each, rest)]
    })
    return kept.length === 0 ? undefined : kept
  }
  if (step.startsWith('v:') && Array.isArray(value)) {
    const kept = value.filter(each => JSON.stringify(each) !== step.slice(2))
    return kept.length === 0 ? undefined : kept
  }
  return value
}

/** Members that direct the merge and are no data (strategic merge patch of Kubernetes). */
const SET_ORDER = '$setElementOrder/'
const DELETE_FROM = '$deleteFromPrimitiveList/'

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A list of maps, merged by the key of its elements. `$patch: delete` removes one, `$patch: replace` replaces all. */
function mergeList(before: readonly JsonMap[], patch: readonly JsonMap[], key: string): unknown[] {
  if (patch.some(each => each.$patch === 'replace' && !(key in each))) {
    return patch.filter(each => each.$patch !== 'replace')
  }
  const merged = new Map(before.map(each => [each[key], each as unknown]))
  for (const each of patch) {
    if (each.$patch === 'delete') merged.delete(each[key])
    else merged.set(each[key], strategicPatch(merged.get(each[key]), each))
  }
  return [...merged.values()]
}

/** True for a list whose elements are maps with the merge key, or directives. */
function patchesByKey(name: string, before: unknown, patch: unknown): string | undefined {
  if (!Array.isArray(patch)) return undefined
  const elements = patch.filter(each => !(isJsonObject(each) && each.$patch === 'replace'))
  return mergeKeyOf(name, before === undefined ? [] : before, elements)
}

/**
 * Applies a strategic merge patch: as a merge patch, but lists with a merge key are merged by element.
 * @throws PatchError for an unknown directive
 */
export function strategicPatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const { $patch: directive, $retainKeys: retained, ...members } = patch
  if (directive === 'replace') return members
  if (directive === 'delete') return {}
  if (directive !== undefined && directive !== 'merge') {
    throw new PatchError(`unknown patch type: ${JSON.stringify(directive).slice(0, 100)}`, 400)
  }
  const kept = Array.isArray(retained)
    ? Object.entries(isJsonObject(target) ? target : {}).filter(([name]) => retained.includes(name))
    : Object.entries(isJsonObject(target) ? target : {})
  const merged = new Map<string, unknown>(kept)
  for (const [name, value] of Object.entries(members)) {
    if (name.startsWith(SET_ORDER)) continue
    if (name.startsWith(DELETE_FROM)) {
      const list = name.slice(DELETE_FROM.length)
      const gone = asList(value)
      if (merged.has(list))
        merged.set(
          list,
          asList(merged.get(list)).filter(each => !gone.includes(each)),
        )
      continue
    }
    if (value === null) {
      merged.delete(name)
      continue
    }
    const before = merged.get(name)
    const key = patchesByKey(name, before, value)
    if (key !== undefined) merged.set(name, mergeList(asList(before) as JsonMap[], value as JsonMap[], key))
    else if (MERGED_SETS.includes(name)) merged.set(name, [...new Set([...asList(before), ...asList(value)])])
    else merged.set(name, strategicPatch(before, value))
  }
  return Object.fromEntries(merged)
}

/** A JSON patch that cannot be applied. `code` 400 for a malformed one, 422 for one that does not fit the object. */
export class PatchError extends Error {
  override name = 'PatchError'
  constructor(
    message: string,
    readonly code: 400 | 422 = 422,
  ) {
    super(message)
  }
}

/** Most operations of one patch (apiserver, `MaxJSONPatchOperations`). */
const MAX_OPERATIONS = 10_000

/** Largest content that the copies of one patch add, in characters of JSON: each copy may double a value. */
const MAX_COPIED = 3 * 1024 * 1024

/** The steps of a JSON pointer (RFC 6901 §3). */
function steps(pointer: unknown): string[] {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) {
    throw new PatchError('an operation has no valid JSON pointer', 400)
  }
  return pointer
    .split('/')
    .slice(1)
    .map(each => each.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function indexOf(step: string, limit: number): number {
  const index = /^(?:0|[1-9]\d{0,8})$/.test(step) ? Number(step) : -1
  if (index < 0 || index > limit) throw new PatchError(`the index ${step} is not in the list`)
  return index
}

function child(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return value[indexOf(step, value.length - 1)]
  if (isJsonObject(value) && Object.hasOwn(value, step)) return value[step]
  throw new PatchError(`the path has no member ${JSON.stringify(step)}`)
}

const valueAt = (root: unknown, path: readonly string[]): unknown => path.reduce(child, root)

/** Sets an own member, also one called `__proto__`. */
function set(map: object, name: string, value: unknown): void {
  Object.defineProperty(map, name, { value, configurable: true, enumerable: true, writable: true })
}

/** The value of an operation. @throws PatchError without one */
function operand(operation: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(operation, 'value')) return structuredClone(operation.value)
  throw new PatchError(`the operation ${JSON.stringify(operation.op)} has no value`, 400)
}

/**
 * Applies a JSON patch (RFC 6902 §4) to a value, which stays as it is.
 * @throws PatchError
 */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw new PatchError('a JSON patch is a list of operations', 400)
  if (patch.length > MAX_OPERATIONS) {
    throw new PatchError(`the patch has more than ${MAX_OPERATIONS} operations`, 400)
  }
  // Changed in place, because a copy at each operation would make many operations on a large object slow.
  const root = { value: structuredClone(target) }
  let copied = 0

  /** Returns the map or list that holds the last step of a path. The root is held too. */
  function holderOf(path: readonly string[]): { holder: unknown; last: string } {
    if (path.length === 0) return { holder: root, last: 'value' }
    return { holder: valueAt(root.value, path.slice(0, -1)), last: path.at(-1)! }
  }

  function add(path: readonly string[], value: unknown): void {
    const { holder, last } = holderOf(path)
    if (Array.isArray(holder)) {
      holder.splice(last === '-' ? holder.length : indexOf(last, holder.length), 0, value)
    } else if (isJsonObject(holder)) set(holder, last, value)
    else throw new PatchError(`there is no map or list for the member ${JSON.stringify(last)}`)
  }

  function remove(path: readonly string[]): unknown {
    if (path.length === 0) throw new PatchError('the whole object cannot be removed')
    const { holder, last } = holderOf(path)
    const value = child(holder, last)
    if (Array.isArray(holder)) holder.splice(Number(last), 1)
    else delete (holder as Record<string, unknown>)[last]
    return value
  }

  function replace(path: readonly string[], value: unknown): void {
    const { holder, last } = holderOf(path)
    child(holder, last)
    if (Array.isArray(holder)) holder[Number(last)] = value
    else set(holder as object, last, value)
  }

  function apply(operation: unknown): void {
    if (!isJsonObject(operation)) throw new PatchError('an operation is not a map', 400)
    const { op } = operation
    const path = steps(operation.path)
    switch (op) {
      case 'add':
        add(path, operand(operation))
        break
      case 'remove':
        remove(path)
        break
      case 'replace':
        replace(path, operand(operation))
        break
      case 'copy': {
        const value = valueAt(root.value, steps(operation.from))
        copied += JSON.stringify(value ?? null).length
        if (copied > MAX_COPIED) throw new PatchError('the operations copy too much')
        add(path, structuredClone(value))
        break
      }
      case 'move': {
        const from = steps(operation.from)
        if (path.length > from.length && from.every((each, i) => each === path[i])) {
          throw new PatchError('a value cannot be moved into itself')
        }
        add(path, remove(from))
        break
      }
      case 'test':
        if (sameJson(valueAt(root.value, path), operand(operation))) break
        throw new PatchError(`testing path ${String(operation.path).slice(0, 200)} failed`)
      default:
        throw new PatchError(`${JSON.stringify(op ?? null).slice(0, 100)} is not an operation`, 400)
    }
  }

  for (const operation of patch) apply(operation)
  return root.value
}
