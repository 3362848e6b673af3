import type { CST, Document, ParsedNode } from 'yaml'

/** Deepest nesting of a document. The parser recurses, and V8 ends the program where it compiles a pattern near the end of the stack. */
const MAX_DEPTH = 200

/** Largest number of lexemes of a file: keys, values, marks and line breaks. A document of that many takes about a second. */
const MAX_LEXEMES = 400_000

/** Largest number of anchors in a document. */
const MAX_ANCHORS = 1000

/** Largest content that all aliases of a document stand for together, in characters of text and sixteen for each node. */
const MAX_EXPANSION = 1_000_000

const NODE_WEIGHT = 16

/** A mistake in a YAML text. The message is one line without a position. */
export class YamlTextError extends Error {
  override readonly name = 'YamlTextError'
  /** Offset in the text, in UTF-16 units, from 0. */
  readonly offset: number
  /** From 1. */
  readonly line: number
  readonly column: number

  constructor(message: string, at: { readonly offset: number; readonly line: number; readonly col: number }) {
    super(message)
    this.offset = at.offset
    this.line = at.line
    this.column = at.col
  }
}

/** A YAML text that was parsed. */
export interface YamlText {
  readonly document: Document
  /** Returns the place of the value at a path, or of its key; for a missing value that of its nearest parent. Both count from 1. */
  readonly placeOf: (
    path: readonly (string | number)[],
  ) => { readonly line: number; readonly column: number } | undefined
  /** The value of the document. An alias has the same object as its anchor. */
  readonly value: unknown
}

/**
 * Parses one YAML or JSON document from outside in time proportional to its length. The package itself compares each key of a map with all others, searches
 * the document for each alias, and prints the line of each of its errors.
 * @param maxLexemes the largest number of lexemes; left out: the limit of files
 * @throws YamlTextError for a syntax error, a repeated key, a second document, and for more nesting, lexemes, anchors or content of aliases than the limits
 */
export async function parseYaml(text: string, maxLexemes = MAX_LEXEMES): Promise<YamlText> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  lines.addNewLine(0)
  const parser = new yaml.Parser(lines.addNewLine)
  const failed = (message: string, offset: number) =>
    new YamlTextError(message, { offset, ...lines.linePos(offset) })

  function* tokens(): Generator<CST.Token, void> {
    let offset = 0
    let lexemes = 0
    let anchors = 0
    for (const lexeme of new yaml.Lexer().lex(text)) {
      lexemes += 1
      if (lexeme[0] === '&') anchors += 1
      if (lexemes > maxLexemes) throw failed(`it has more than ${maxLexemes} keys, values and marks`, offset)
      if (anchors > MAX_ANCHORS) throw failed(`it has more than ${MAX_ANCHORS} anchors`, offset)
      yield* parser.next(lexeme)
      if (parser.stack.length > MAX_DEPTH) throw failed('it is nested too deep', offset)
      offset += lexeme.length
    }
    yield* parser.end()
  }

  // `core` reads `off`, `yes` and dates as the strings they look like.
  const composer = new yaml.Composer({ uniqueKeys: false, prettyErrors: false, schema: 'core' })
  const [document, second] = composer.compose(tokens(), true, text.length)
  if (document === undefined) throw failed('it holds no document', 0)
  const [error] = document.errors
  if (error) throw failed(error.message.split('\n', 1)[0]!, error.pos[0])
  if (second) throw failed('it holds several documents', second.range[0])
  const childOf = children(yaml)
  return {
    document,
    placeOf(path) {
      let node: ParsedNode | null | undefined = document.contents
      let place: { line: number; col: number } | undefined
      for (const step of path) {
        const child = childOf(node, step)
        node = child?.value
        const at = child?.key ?? node
        if (!at) break
        place = lines.linePos(at.range[0])
      }
      return place && { line: place.line, column: place.col }
    },
    value: plainValue(document.contents, yaml, failed),
  }
}

/** Returns a function that finds the child of a node. It reads the keys of a map once: the package reads them all for each child. */
function children({ isMap, isScalar, isSeq }: typeof import('yaml')) {
  const read = new Map<ParsedNode, ReadonlyMap<string, Child>>()
  const keyOf = (key: ParsedNode | null) => String(isScalar(key) ? (key.value ?? '') : '')
  return (node: ParsedNode | null | undefined, step: string | number): Child | undefined => {
    if (isSeq(node)) return { value: node.items[Number(step)] as ParsedNode | undefined }
    if (!isMap(node)) return undefined
    const known = read.get(node)
    const pairs =
      known ??
      new Map(node.items.map(({ key, value }) => [keyOf(key), { key, value: value as ParsedNode | null }]))
    if (known === undefined) read.set(node, pairs)
    return pairs.get(String(step))
  }
}

/** A member of a map with its key, or an item of a list. */
interface Child {
  readonly key?: ParsedNode | null
  readonly value: ParsedNode | null | undefined
}

/** The value of a node, and its size, of which the limit of aliases is counted. */
interface Weighed {
  readonly value: unknown
  readonly weight: number
}

/** Returns the plain value of a node. Keys are compared in one pass, and each alias is looked up once. */
function plainValue(
  root: ParsedNode | null,
  { isAlias, isMap, isScalar, isSeq }: typeof import('yaml'),
  failed: (message: string, offset: number) => YamlTextError,
): unknown {
  const anchors = new Map<string, Weighed | undefined>()
  let expansion = 0

  function aliased(source: string, offset: number): Weighed {
    const target = anchors.get(source)
    if (target === undefined) {
      const problem = anchors.has(source) ? 'stands inside its own anchor' : 'has no anchor before it'
      throw failed(`the alias *${source} ${problem}`, offset)
    }
    expansion += target.weight
    if (expansion > MAX_EXPANSION) throw failed('its aliases stand for too much content', offset)
    return target
  }

  function members(items: readonly { key: unknown; value: unknown }[], offset: number): Weighed {
    const found = new Map<string, unknown>()
    let weight = NODE_WEIGHT
    for (const pair of items) {
      const node = pair.key as ParsedNode | null
      const at = node?.range?.[0] ?? offset
      const key = weighed(node)
      if (typeof key.value === 'object' && key.value !== null) throw failed('Map keys must be scalars', at)
      const name = String(key.value ?? '')
      if (found.has(name)) throw failed('Map keys must be unique', at)
      const value = weighed(pair.value as ParsedNode | null)
      found.set(name, value.value)
      weight += key.weight + value.weight
    }
    return { value: Object.fromEntries(found), weight }
  }

  function content(node: ParsedNode | null): Weighed {
    if (isScalar(node)) {
      const { value } = node
      return { value, weight: NODE_WEIGHT + (typeof value === 'string' ? value.length : 0) }
    }
    if (isMap(node)) return members(node.items, node.range[0])
    if (!isSeq(node)) return { value: null, weight: NODE_WEIGHT }
    const items = node.items.map(each => weighed(each as ParsedNode))
    const weight = items.reduce((sum, each) => sum + each.weight, NODE_WEIGHT)
    return { value: items.map(each => each.value), weight }
  }

  function weighed(node: ParsedNode | null): Weighed {
    if (isAlias(node)) return aliased(node.source, node.range?.[0] ?? 0)
    const anchor = node?.anchor
    if (anchor === undefined) return content(node)
    anchors.set(anchor, undefined)
    const made = content(node)
    anchors.set(anchor, made)
    return made
  }

  return weighed(root).value
}
