import { isJsonObject } from '../../../../protocol/values.js'
import { type JsonMap, MERGED_SETS, mergeKeyOf } from './json.js'

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
