import { isJsonObject } from '../../../../protocol/values.js'
import { type JsonMap, MERGED_SETS, mergeKeyOf } from './json.js'
import { PatchError } from './json-patch.js'

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
