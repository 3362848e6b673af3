import { makeSafe } from '../../../protocol/safe-output/safe.js'

/**
 * Text from outside as Markdown that shows it and obeys nothing in it: no links, HTML, emphasis, table cells, or
 * blocks. One line.
 */
export function markdownText(text: string): string {
  return makeSafe(text)
    .replace(/[\\`*_{}[\]<>#|~&!$@]/g, char => (char === '&' ? '&amp;' : `\\${char}`))
    .replace(/^(\s*)([-+=])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/, '$1\\$2')
    .replace(/:(?=\/\/)/g, '\\:')
}

/** A block of text between fences that are longer than any run of backticks in it. Lines end with `\n`. */
export function fenced(text: string, language = ''): string[] {
  const lines = text.split(/\r\n|\r|\n/).map(line => makeSafe(line))
  const longest = Math.max(
    0,
    ...lines.map(line => Math.max(0, ...(line.match(/`+/g) ?? []).map(run => run.length))),
  )
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return [fence + language, ...lines, fence]
}

/** A table with a head; cells are Markdown already. */
export function markdownTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)]
}
