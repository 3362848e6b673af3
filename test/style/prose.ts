import { parseSync } from 'rolldown/utils'
import type { Node } from '../docs/declarations.js'
import { nodesOf } from '../docs/declarations.js'
import { read } from '../support/source-files.js'

/** A text that people read, and the line where it starts. */
export interface Prose {
  readonly line: number
  readonly text: string
  readonly docstring: boolean
}

const lineAt = (code: string, offset: number): number => code.slice(0, offset).split('\n').length

/** Texts of one word are names, not sentences. */
const isSentence = (text: string): boolean => /\S\s+\S/.test(text)

function* literals(program: Node): Generator<{ start: number; text: string }> {
  for (const node of nodesOf(program)) {
    const { type, start } = node
    if (type === 'Literal' && typeof node.value === 'string') yield { start, text: node.value }
    if (type === 'JSXText') yield { start, text: String(node.value) }
    if (type === 'TemplateElement') yield { start, text: (node.value as { raw: string }).raw }
  }
}

/** The comments of a TypeScript file, and the sentences in its strings, templates and JSX. */
export function proseOfSource(file: string): Prose[] {
  const code = read(file)
  const { program, comments } = parseSync(file, code)
  const commented = comments.map(({ type, start, end }) => {
    const text = code.slice(start, end)
    return { line: lineAt(code, start), text, docstring: type === 'Block' && text.startsWith('/**') }
  })
  const written = [...literals(program as unknown as Node)]
    .filter(({ text }) => isSentence(text))
    .map(({ start, text }) => ({ line: lineAt(code, start), text, docstring: false }))
  return [...commented, ...written]
}

/** The lines of a Markdown page, without fenced blocks, code between backticks, and titles of tests. */
export function proseOfPage(page: string): Prose[] {
  let fenced = false
  return read(page)
    .split('\n')
    .flatMap((text, index) => {
      const fence = /^\s*(?:```|~~~)/.test(text)
      if (fence) fenced = !fenced
      if (fenced || fence) return []
      return [
        {
          line: index + 1,
          text: text.replace(/`test\/[^`]*` “[^”]*”/g, '').replace(/`[^`]*`/g, '``'),
          docstring: false,
        },
      ]
    })
}
