import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'

/** The project's folder. */
export const root = resolve(import.meta.dirname, '../..')

/** All files below folders of the project, or the files themselves, without installed packages. Paths have `/` and are relative to the project. */
export function filesBelow(...starts: readonly string[]): string[] {
  return starts.flatMap(start => {
    if (!statSync(join(root, start)).isDirectory()) return [start]
    const below = readdirSync(join(root, start)).filter(name => name !== 'node_modules')
    return filesBelow(...below.map(name => `${start}/${name}`))
  })
}

/** A file of the project as text. */
export function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** One import of a TypeScript file. */
export interface Import {
  readonly from: string
  /** A path of the project, such as `src/protocol/http/form.ts`, or a package's name, or `node:…`. */
  readonly what: string
  readonly kind: 'static' | 'dynamic' | 'type'
}

// `import x from '…'`, `export * from '…'`, `import '…'`; the formatter puts them at the start of a line.
const declaration = /^(?:import|export)\s(?:(?<names>[^'";=]*?)\sfrom\s)?'(?<what>[^']+)'/gm
const call =
  /(?<typeof>typeof\s+)?\bimport\(\s*(?:'(?<what>[^']+)'(?:\s+as\s+string)?|(?<computed>[^)]*))\s*\)/g

function named(what: string, from: string): string {
  if (what.startsWith('.')) {
    const path = posix.join(posix.dirname(from), what).replace(/\.js$/, '.ts')
    return existsSync(join(root, `${path}x`)) ? `${path}x` : path
  }
  if (what.startsWith('node:')) return what
  return what.split('/', what.startsWith('@') ? 2 : 1).join('/')
}

function isTypeOnly(names: string): boolean {
  if (/^type\s/.test(names)) return true
  const braces = /^\{([^}]*)\}$/.exec(names.trim())?.[1]
  const members = braces
    ?.split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
  return members !== undefined && members.length > 0 && members.every(each => each.startsWith('type '))
}

/**
 * All imports and re-exports of a file, static, dynamic and of types.
 * @throws Error at an `import()` whose name is not written there: no rule could be applied to it
 */
export function importsOf(file: string): Import[] {
  const source = read(file)
  const found: Import[] = []
  for (const { groups } of source.matchAll(declaration)) {
    const { names = '', what = '' } = groups ?? {}
    found.push({ from: file, what: named(what, file), kind: isTypeOnly(names) ? 'type' : 'static' })
  }
  for (const { groups } of source.matchAll(call)) {
    const { what, computed } = groups ?? {}
    if (what === undefined) throw new Error(`${file}: import(${computed}) is computed`)
    found.push({ from: file, what: named(what, file), kind: groups?.typeof ? 'type' : 'dynamic' })
  }
  return found
}
