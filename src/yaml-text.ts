import type { CST, Document, YAMLMap } from 'yaml'

/** Deepest nesting of a document. The parser recurses, and V8 ends the program where it compiles a pattern near the end of the stack. */
const MAX_DEPTH = 200

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
  /** Line of an offset, both as in `YamlTextError`. */
  readonly lineAt: (offset: number) => number
  /** The value of the document. @throws YamlTextError where aliases expand to too much */
  readonly value: () => unknown
}

/**
 * Parses one YAML or JSON document from outside in time proportional to its length. The package itself compares each key of a map with all others,
 * and prints the line of each of its errors.
 * @throws YamlTextError for a syntax error, a repeated key, nesting deeper than 200, or a second document
 */
export async function parseYaml(text: string): Promise<YamlText> {
  const { Composer, isScalar, Lexer, LineCounter, Parser, visit } = await import('yaml')
  const lines = new LineCounter()
  lines.addNewLine(0)
  const parser = new Parser(lines.addNewLine)
  const failed = (message: string, offset: number) =>
    new YamlTextError(message, { offset, ...lines.linePos(offset) })

  function* tokens(): Generator<CST.Token, void> {
    let offset = 0
    for (const lexeme of new Lexer().lex(text)) {
      yield* parser.next(lexeme)
      if (parser.stack.length > MAX_DEPTH) throw failed('it is nested too deep', offset)
      offset += lexeme.length
    }
    yield* parser.end()
  }

  // `core` reads `off`, `yes` and dates as the strings they look like.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, schema: 'core' })
  const [document, second] = composer.compose(tokens(), true, text.length)
  if (document === undefined) throw failed('it holds no document', 0)
  const [error] = document.errors
  if (error) throw failed(error.message.split('\n', 1)[0]!, error.pos[0])
  if (second) throw failed('it holds several documents', second.range[0])

  function checkKeys({ items }: YAMLMap): void {
    const seen = new Set<unknown>()
    for (const { key } of items) {
      if (!isScalar(key)) continue
      if (seen.has(key.value)) throw failed('Map keys must be unique', key.range?.[0] ?? 0)
      seen.add(key.value)
    }
  }
  visit(document, { Map: (_, map) => checkKeys(map) })
  return {
    document,
    lineAt: offset => lines.linePos(offset).line,
    value() {
      try {
        // An alias that expands without end is an error of the package; 100 is its own default.
        return document.toJS({ maxAliasCount: 100 }) as unknown
      } catch (error) {
        throw failed((error as Error).message.split('\n', 1)[0]!, 0)
      }
    },
  }
}
