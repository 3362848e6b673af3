/** Rows in aligned columns, the last one not padded. Texts are safe and narrow already. */
export function columns(rows: ReadonlyArray<readonly string[]>, indent = ''): string[] {
  const last = Math.max(0, ...rows.map(row => row.length)) - 1
  const widths = Array.from({ length: last }, (_, i) => Math.max(0, ...rows.map(row => row[i]?.length ?? 0)))
  return rows.map(row =>
    (indent + row.map((cell, i) => (i === last ? cell : cell.padEnd(widths[i] ?? 0))).join('  ')).trimEnd(),
  )
}
