import { isJsonObject } from '../../../../protocol/values.js'
import type { JsonMap } from './json.js'

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
