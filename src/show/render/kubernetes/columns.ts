import { hanging } from '../text/hanging.js'

/**
 * Rows in aligned columns, the last one not padded. Texts are safe and narrow already.
 * @param room of a terminal: the last column goes on below itself
 */
export function columns(rows: ReadonlyArray<readonly string[]>, indent = '', room?: number): string[] {
  const last = Math.max(0, ...rows.map(row => row.length)) - 1
  const widths = Array.from({ length: last }, (_, i) => Math.max(0, ...rows.map(row => row[i]?.length ?? 0)))
  return rows.flatMap(row => {
    const before = row.slice(0, last).map((cell, i) => `${cell.padEnd(widths[i] ?? 0)}  `)
    return hanging(indent + before.join(''), row[last] ?? '', { columns: room })
  })
}
