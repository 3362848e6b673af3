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
