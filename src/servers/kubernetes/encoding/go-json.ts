/** A Go type: the JSON values that it accepts, and its name in errors. */
export type GoType =
  | { readonly is: 'string' | 'int64' | 'bool' | 'time' | 'stringMap' | 'other' }
  | { readonly is: 'list'; readonly of: GoType }
  | StructType

/** A Go struct and the JSON names of its fields. */
export interface StructType {
  readonly is: 'struct'
  readonly name: string
  readonly fields: Readonly<Record<string, GoType>>
}

/** The name of a type in an error. */
function goTypeName(type: GoType): string {
  if (type.is === 'struct') return `v1.${type.name}`
  if (type.is === 'list') return `[]${goTypeName(type.of)}`
  if (type.is === 'stringMap') return 'map[string]string'
  return type.is === 'time' ? 'v1.Time' : type.is
}

/** A decoded JSON value. `error` is the first mismatch, with Go's text. */
interface GoDecoded {
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

/** A JSON value that keeps what `JSON.parse` drops: the text of numbers, and members that occur twice. */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: (readonly [name: string, value: JsonNode])[] }
  | { readonly kind: 'array'; readonly items: JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'null' }

/** The error for text that is not JSON, with the message of Go's encoding/json. */
export class JsonSyntaxError extends Error {
  override name = 'JsonSyntaxError'
}

const MAX_DEPTH = 10_000

const KEY = 'looking for beginning of object key string'

type Container = { node: Extract<JsonNode, { kind: 'object' | 'array' }>; key: string }

/**
 * Parses JSON as Go's encoding/json does, and reports errors with its text. Depth costs no stack.
 * @throws JsonSyntaxError
 */
export function parseGoJson(body: Uint8Array): JsonNode {
  // One character a byte: Go's messages speak of bytes.
  const source = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  let at = 0
  const stack: Container[] = []

  const ended = () => new JsonSyntaxError('unexpected end of JSON input')
  const stumbled = (context: string) =>
    new JsonSyntaxError(`invalid character ${quoteByte(source[at] ?? ' ')} ${context}`)

  function skipSpace(): string {
    while (source[at] === ' ' || source[at] === '\n' || source[at] === '\t' || source[at] === '\r') at++
    const char = source[at]
    if (char === undefined) throw ended()
    return char
  }

  function readString(): string {
    const start = at++
    for (;;) {
      const char = source[at]
      if (char === undefined) throw ended()
      if (char === '"') break
      if (char < ' ') throw stumbled('in string literal')
      at++
      if (char !== '\\') continue
      if (source[at] === 'u') {
        at++
        for (let i = 0; i < 4; i++, at++) {
          if (!/[0-9a-fA-F]/.test(source[at] ?? '')) throw stumbled('in \\u hexadecimal character escape')
        }
      } else if (/["\\/bfnrt]/.test(source[at] ?? '')) at++
      else throw stumbled('in string escape code')
    }
    at++
    const text = Buffer.from(source.slice(start, at), 'latin1').toString('utf8')
    return (JSON.parse(text) as string).toWellFormed()
  }

  function digits(context: string): void {
    if (!/[0-9]/.test(source[at] ?? '')) throw stumbled(context)
    while (/[0-9]/.test(source[at] ?? '')) at++
  }

  function readNumber(): JsonNode {
    const start = at
    if (source[at] === '-') at++
    if (source[at] === '0') at++
    else digits('in numeric literal')
    if (source[at] === '.') {
      at++
      digits('after decimal point in numeric literal')
    }
    if (source[at] === 'e' || source[at] === 'E') {
      at++
      if (source[at] === '+' || source[at] === '-') at++
      digits('in exponent of numeric literal')
    }
    return { kind: 'number', text: source.slice(start, at) }
  }

  function readWord<Node extends JsonNode>(word: string, node: Node): Node {
    for (const [i, letter] of [...word].entries()) {
      if (i > 0 && source[at] !== letter)
        throw stumbled(`in literal ${word} (expecting ${quoteByte(letter)})`)
      at++
    }
    return node
  }

  function open(node: Container['node']): void {
    if (stack.length >= MAX_DEPTH) throw stumbled('exceeded max depth')
    stack.push({ node, key: '' })
    at++
  }

  /** Reads `"name":` of the object on top. */
  function readKey(top: Container): void {
    if (skipSpace() !== '"') throw stumbled(KEY)
    top.key = readString()
    if (skipSpace() !== ':') throw stumbled('after object key')
    at++
  }

  /** Reads a scalar or an empty container. Returns undefined after opening a container with members. */
  function readValue(): JsonNode | undefined {
    const char = skipSpace()
    if (char === '"') return { kind: 'string', value: readString() }
    if (char === '-' || (char >= '0' && char <= '9')) return readNumber()
    if (char === 't') return readWord('true', { kind: 'bool', value: true })
    if (char === 'f') return readWord('false', { kind: 'bool', value: false })
    if (char === 'n') return readWord('null', { kind: 'null' })
    if (char === '{') open({ kind: 'object', members: [] })
    else if (char === '[') open({ kind: 'array', items: [] })
    else throw stumbled('looking for beginning of value')
    const top = stack.at(-1)!
    const next = skipSpace()
    if (next === (char === '{' ? '}' : ']')) {
      at++
      return stack.pop()!.node
    }
    if (top.node.kind === 'object') readKey(top)
    return undefined
  }

  /** Adds a value to the open container, and closes containers that end after it. Returns the root when all are closed. */
  function place(value: JsonNode): JsonNode | undefined {
    let placed = value
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { node } = top
      if (node.kind === 'object') node.members.push([top.key, placed])
      else node.items.push(placed)
      const char = skipSpace()
      const object = node.kind === 'object'
      if (char === ',') {
        at++
        if (object) readKey(top)
        return undefined
      }
      if (char !== (object ? '}' : ']')) {
        throw stumbled(object ? 'after object key:value pair' : 'after array element')
      }
      at++
      stack.pop()
      placed = node
    }
    return placed
  }

  for (;;) {
    const value = readValue()
    const root = value && place(value)
    if (root === undefined) continue
    while (/[ \n\t\r]/.test(source[at] ?? '')) at++
    if (at < source.length) throw stumbled('after top-level value')
    return root
  }
}

const NAMED: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
}

function escaped(char: string): string {
  const named = NAMED[char]
  if (named !== undefined) return named
  const code = char.codePointAt(0)!
  const hex = code.toString(16)
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

/** Text in double quotes as Go's `%q` writes it, with invisible characters escaped. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, char => (char === '"' ? '\\"' : escaped(char)))}"`
}

/** A list of texts as Go's `%q` writes it: `["a" "b"]`. */
export function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quote).join(' ')}]`
}

/** One byte in single quotes, as the errors of Go's JSON parser name it. */
function quoteByte(char: string): string {
  if (char === "'") return "'\\''"
  return char === '"' ? `'"'` : `'${quote(char).slice(1, -1)}'`
}
