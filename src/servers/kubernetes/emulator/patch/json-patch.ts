import { isJsonObject } from '../../../../protocol/values.js'
import { sameJson } from './json.js'

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
