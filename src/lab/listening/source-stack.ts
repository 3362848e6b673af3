import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The parent of `src` and of `dist`. */
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** As V8 writes a place into a stack. */
const bundledPlace = /(?:file:\/\/)?([^\s()]+\.cjs):(\d+):(\d+)/g

function sourceMapOf(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload)
  } catch {
    return undefined
  }
}

/** Rewrites places of bundled files to places of the source, such as `src/commands/cli.ts:21:3`. Source maps are read here only. */
export function inSourceTerms(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>()
  return stack.replace(bundledPlace, (place, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, sourceMapOf(file))
    // A stack counts from 1, a source map from 0.
    const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry === undefined || !('originalSource' in entry)) return place
    const source = relative(root, join(dirname(file), entry.originalSource)).replaceAll('\\', '/')
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}
