import { quoteByte } from './quote.js'

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
