import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'

const imports = /((?:from|import)\s*\(?\s*["'])(\.[^"']+)\.js(["'])/g

/** The declarations that `start` imports, directly and through others, by their paths below the folder. */
function reached(folder, start, replaced) {
  const found = new Map()
  const waiting = [start]
  for (const name of waiting) {
    if (found.has(name)) continue
    const text = replaced[name] ?? readFileSync(join(folder, `${name}.d.ts`), 'utf8')
    found.set(name, text)
    for (const [, , path] of text.matchAll(imports)) waiting.push(posix.join(posix.dirname(name), path))
  }
  return found
}

/**
 * Writes the declarations of the library, and of no more files than they need, into a folder: `.d.ts` for `import` and
 * `.d.cts` for `require`. TypeScript takes a `.d.ts` of this package for a module that `require` cannot load.
 * @param replaced declarations by path, in place of those that the compiler makes
 */
export function writeTypes(root, folder, replaced) {
  const made = mkdtempSync(join(tmpdir(), 'oauth-lab-types-'))
  try {
    const tsc = createRequire(import.meta.url).resolve('typescript/package.json')
    const { bin } = JSON.parse(readFileSync(tsc, 'utf8'))
    const flags = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--noCheck']
    const project = ['-p', join(root, 'tsconfig.json'), '--rootDir', root, '--outDir', made]
    const { stdout, error } = spawnSync(
      process.execPath,
      [join(dirname(tsc), bin.tsc), ...project, ...flags],
      { encoding: 'utf8' },
    )
    if (error) throw error
    try {
      const declarations = reached(join(made, 'src'), 'index', replaced)
      rmSync(folder, { recursive: true, force: true })
      for (const [name, text] of declarations) {
        const file = join(folder, name)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(`${file}.d.ts`, text)
        writeFileSync(`${file}.d.cts`, text.replace(imports, '$1$2.cjs$3'))
      }
    } catch (problem) {
      throw new Error(`the types of the library were not written: ${stdout}`, { cause: problem })
    }
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}
