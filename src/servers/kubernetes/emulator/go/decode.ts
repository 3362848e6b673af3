import type { JsonNode } from './json-parser.js'
import { quote } from './quote.js'
import { type GoType, goTypeName, type StructType } from './types.js'

/** A decoded JSON value. `error` is the first mismatch, with Go's text. */
export interface GoDecoded {
  readonly value: unknown
  readonly error?: string
  /** Unknown and duplicate fields, in their order. The client decides whether they are errors or warnings. */
  readonly strict: readonly string[]
}

/** Largest number of fields that are reported. */
const MAX_STRICT = 100

/** RFC 3339, as time.Time reads it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** A place in the value: the struct that holds it, and the path to it. */
interface Place {
  readonly struct: string
  readonly path: string
}

const plain = (node: JsonNode): unknown => {
  if (node.kind === 'object')
    return Object.fromEntries(node.members.map(([name, value]) => [name, plain(value)]))
  if (node.kind === 'array') return node.items.map(plain)
  if (node.kind === 'number') return Number(node.text)
  return node.kind === 'null' ? null : node.value
}

/**
 * Deepest nesting of free-form values that is kept, so that a program which prints them cannot exhaust its stack.
 */
const MAX_FREE_DEPTH = 64

function depthOf(node: JsonNode): number {
  let level: JsonNode[] = [node]
  for (let depth = 0; ; depth++) {
    if (level.length === 0 || depth > MAX_FREE_DEPTH) return depth
    level = level.flatMap(each =>
      each.kind === 'object'
        ? each.members.map(([, value]) => value)
        : each.kind === 'array'
          ? each.items
          : [],
    )
  }
}

/**
 * Decodes a parsed body into a Go type as sigs.k8s.io/json does: names are compared by case, null leaves a field
 * unset, and reading goes on after the first error.
 */
export function decodeAs(type: StructType, root: JsonNode): GoDecoded {
  const strict: string[] = []
  let error: string | undefined

  function refuse(found: string, { struct, path }: Place, wanted: GoType): undefined {
    const where = path === '' ? 'Go value' : `Go struct field ${struct}.${path}`
    error ??= `json: cannot unmarshal ${found} into ${where} of type ${goTypeName(wanted)}`
    return undefined
  }

  const complain = (what: string, path: string) => {
    if (strict.length < MAX_STRICT) strict.push(`${what} field ${quote(path)}`)
  }

  function members(
    node: Extract<JsonNode, { kind: 'object' }>,
    path: string,
    read: (name: string, value: JsonNode, path: string) => unknown,
  ): Record<string, unknown> {
    const found = new Map<string, unknown>()
    for (const [name, value] of node.members) {
      const inner = path === '' ? name : `${path}.${name}`
      if (found.has(name)) complain('duplicate', inner)
      found.set(name, read(name, value, inner))
    }
    return Object.fromEntries([...found].filter(([, value]) => value !== undefined))
  }

  function struct(type: StructType, node: JsonNode, place: Place): unknown {
    if (node.kind !== 'object') return refuse(kindOf(node), place, type)
    return members(node, place.path, (name, value, path) => {
      const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined
      if (field !== undefined) return decode(field, value, { struct: type.name, path })
      complain('unknown', path)
      return undefined
    })
  }

  function integer(node: JsonNode, place: Place, type: GoType): unknown {
    if (node.kind !== 'number') return refuse(kindOf(node), place, type)
    if (!/^-?\d+$/.test(node.text)) return refuse(`number ${node.text}`, place, type)
    const exact = node.text.length > 20 ? undefined : BigInt(node.text)
    if (exact === undefined || BigInt.asIntN(64, exact) !== exact) {
      return refuse(`number ${node.text}`, place, type)
    }
    const number = Number(exact)
    return Number.isSafeInteger(number) ? number : exact
  }

  function time(node: JsonNode, place: Place, type: GoType): unknown {
    if (node.kind !== 'string') return refuse(kindOf(node), place, type)
    if (TIME.test(node.value)) return node.value
    error ??= `parsing time ${quote(node.value)} as "2006-01-02T15:04:05Z07:00": cannot parse ${quote(node.value)} as "2006"`
    return undefined
  }

  function decode(type: GoType, node: JsonNode, place: Place): unknown {
    if (node.kind === 'null') return undefined
    if (type.is === 'struct') return struct(type, node, place)
    if (type.is === 'int64') return integer(node, place, type)
    if (type.is === 'time') return time(node, place, type)
    if (type.is === 'other') return depthOf(node) > MAX_FREE_DEPTH ? undefined : plain(node)
    if (type.is === 'list') {
      if (node.kind !== 'array') return refuse(kindOf(node), place, type)
      // Go decodes a null in a list of strings as an empty string.
      const empty = type.of.is === 'struct' ? {} : ''
      return node.items.map(item => decode(type.of, item, place) ?? empty)
    }
    if (type.is === 'stringMap') {
      if (node.kind !== 'object') return refuse(kindOf(node), place, type)
      return members(node, place.path, (_, value) => decode({ is: 'string' }, value, place) ?? '')
    }
    return node.kind === type.is ? node.value : refuse(kindOf(node), place, type)
  }

  const value = root.kind === 'null' ? {} : (struct(type, root, { struct: '', path: '' }) ?? {})
  return { value, strict, ...(error !== undefined && { error }) }
}

const kindOf = ({ kind }: JsonNode): string => kind
