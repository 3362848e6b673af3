import { posix } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { read } from '../support/source-files.js'

/** A node of the syntax tree (ESTree with TypeScript), as far as it is looked at here. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

/** A member of a type: how it is written, and its docstring. */
export interface Member {
  readonly name: string
  readonly signature: string
  readonly doc: string
}

/** A source file, taken apart. */
export interface Source {
  readonly code: string
  /** The statements at the top of the file. */
  readonly statements: readonly Node[]
  /** The text of each comment, on one line. */
  readonly comments: readonly string[]
  /** Exported and local declarations by name, newest docstring before each. */
  readonly declarations: ReadonlyMap<string, { readonly node: Node; readonly doc: string }>
  docBefore(node: Node): string
  text(node: Node): string
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** All nodes of a tree, parents first. */
export function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield* nodesOf(each)
  }
}

/** The text of a docstring without its stars; tags such as `@throws` begin lines of their own. */
function docText(value: string): string {
  return value
    .replace(/^\*+/, '')
    .split('\n')
    .map(line => line.replace(/^\s*\*? ?/, '').trimEnd())
    .join('\n')
    .trim()
    .replace(/\n(?![@-])/g, ' ')
}

/** Reads a TypeScript file. */
export function source(file: string, code = read(file)): Source {
  const { program, comments } = parseSync(file, code)
  const docs = comments.filter(each => each.type === 'Block' && each.value.startsWith('*'))
  const docBefore = ({ start }: Node): string => {
    const last = docs.findLast(each => each.end <= start)
    return last && code.slice(last.end, start).trim() === '' ? docText(last.value) : ''
  }
  const declarations = new Map<string, { node: Node; doc: string }>()
  const statements = program.body as unknown as Node[]
  for (const statement of statements) {
    const node = (statement.declaration ?? statement) as Node
    const id = node.id as { name?: string } | undefined
    if (id?.name !== undefined) declarations.set(id.name, { node, doc: docBefore(statement) })
  }
  const remarks = comments.map(({ value }) => value.replace(/\s*\n[\s*]*/g, ' ').trim())
  return {
    code,
    statements,
    comments: remarks,
    declarations,
    docBefore,
    text: ({ start, end }) => code.slice(start, end),
  }
}

/** A type on one line, without comments, `readonly` and the separator at its end. */
function oneLine(text: string): string {
  const lines = text
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/\breadonly /g, '')
    // A rule is one of some hundred sections: pages show the type of its text.
    .replace(/\b(?:Citation|PlanRule)\b/g, 'string')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  const joined = lines.reduce((before, line) =>
    /[{(,|:=]$/.test(before) || /^[})|]/.test(line) ? `${before} ${line}` : `${before}; ${line}`,
  )
  return joined.replace(/: \| /, ': ').replace(/\( /g, '(').replace(/, \)/g, ')').replace(/;$/, '')
}

/** The members of an interface or type literal, with their docstrings. */
export function membersOf(from: Source, node: Node): Member[] {
  const body = (node.body as Node | undefined)?.body ?? node.members ?? []
  return (body as Node[]).flatMap(each => {
    const key = each.key as { name?: string } | undefined
    if (key?.name === undefined || each.computed === true) return []
    const signature = oneLine(from.text(each))
    return [{ name: key.name, signature, doc: from.docBefore(each) }]
  })
}

/** The file that a name of a source file is imported from; undefined for a name of its own. */
function importedFrom(from: Source, name: string): string | undefined {
  const statement = from.statements.find(
    ({ type, specifiers }) =>
      type === 'ImportDeclaration' &&
      (specifiers as Node[]).some(({ local }) => (local as { name?: string }).name === name),
  )
  return (statement?.source as { value?: string } | undefined)?.value
}

/** The members of an interface, and then those of the interfaces that it extends. */
export function allMembersOf(file: string, name: string): Member[] {
  const from = source(file)
  const found = from.declarations.get(name)
  if (found === undefined) throw new Error(`there is no ${name} in ${file}`)
  const inherited = ((found.node.extends ?? []) as Node[]).flatMap(({ expression }) => {
    const { name: parent } = expression as { name?: string }
    if (parent === undefined) throw new Error(`${name} extends more than a name`)
    const path = importedFrom(from, parent)
    if (path === undefined) return from.declarations.has(parent) ? allMembersOf(file, parent) : []
    return allMembersOf(posix.join(posix.dirname(file), path.replace(/\.js$/, '.ts')), parent)
  })
  return [...membersOf(from, found.node), ...inherited]
}

/** A text in a cell of a Markdown table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\n/g, ' ')
