import { filesBelow, importsOf } from '../support/source-files.js'
import { type Node, source } from './declarations.js'

/** A declaration at the top of a file, and the names that it uses. */
export interface Declared {
  readonly file: string
  readonly name: string
  readonly node: Node
  readonly uses: ReadonlySet<string>
}

/** A source file: its declarations, and the names that it imports as values. */
interface CodeFile {
  readonly declared: ReadonlyMap<string, Declared>
  readonly comments: readonly string[]
  readonly imported: ReadonlyMap<string, { readonly file: string; readonly name: string }>
}

/** The nodes directly below a node. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap(value =>
    (Array.isArray(value) ? value : [value]).filter(
      (each): each is Node => typeof each === 'object' && each !== null && typeof each.type === 'string',
    ),
  )
}

function namesIn(node: Node, names = new Set<string>()): Set<string> {
  if (node.type === 'Identifier') names.add(String(node.name))
  for (const child of childrenOf(node)) namesIn(child, names)
  return names
}

/** The declarators of `const a = 1, b = 2`, or the declaration itself. */
function parts(statement: Node): Node[] {
  const node = (statement.declaration ?? statement) as Node
  return node.type === 'VariableDeclaration' ? (node.declarations as Node[]) : [node]
}

function readCode(file: string): CodeFile {
  const declared = new Map<string, Declared>()
  const imported = new Map<string, { file: string; name: string }>()
  const targets = importsOf(file)
  const { statements, comments } = source(file)
  for (const statement of statements) {
    if (statement.type === 'ImportDeclaration') {
      const from = (statement.source as Node & { value: string }).value
      const target = targets.find(({ what }) =>
        what.endsWith(from.replace(/^[./]+/, '').replace(/\.js$/, '.ts')),
      )
      for (const each of statement.specifiers as Node[]) {
        const named = each.imported as { name?: string } | undefined
        const local = each.local as unknown as { name: string }
        if (target && named?.name && statement.importKind !== 'type' && each.importKind !== 'type')
          imported.set(local.name, { file: target.what, name: named.name })
      }
    } else {
      for (const node of parts(statement)) {
        const id = node.id as { name?: string } | undefined
        if (id?.name) declared.set(id.name, { file, name: id.name, node, uses: namesIn(node) })
      }
    }
  }
  return { declared, comments, imported }
}

/** The program's code as declarations that use each other. */
export class Code {
  readonly #files = new Map<string, CodeFile>()

  constructor(readonly files = filesBelow('src').filter(file => /\.tsx?$/.test(file))) {
    for (const file of files) this.#files.set(file, readCode(file))
  }

  /** The declarations of a file. */
  declaredIn(file: string): Declared[] {
    return [...(this.#files.get(file)?.declared.values() ?? [])]
  }

  /** The comments of a file. */
  commentsIn(file: string): readonly string[] {
    return this.#files.get(file)?.comments ?? []
  }

  /** The declaration that a name means in a file; undefined for names of packages and of inner scopes. */
  find(file: string, name: string): Declared | undefined {
    const code = this.#files.get(file)
    const own = code?.declared.get(name)
    if (own) return own
    const from = code?.imported.get(name)
    return from && this.#files.get(from.file)?.declared.get(from.name)
  }

  /** The declarations that those of some files use, directly or through others that `follows` accepts. */
  reached(starts: readonly string[], follows: (file: string) => boolean): ReadonlySet<Declared> {
    const seen = new Set<Declared>()
    const waiting = starts.flatMap(file => this.declaredIn(file))
    for (const declared of waiting) {
      for (const name of declared.uses) {
        const next = this.find(declared.file, name)
        if (next && follows(next.file) && !seen.has(next)) {
          seen.add(next)
          waiting.push(next)
        }
      }
    }
    return seen
  }
}
