// Apart from text.ts, whose package for widths takes longer to load than a small command runs.

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/**
 * A bar of at most `columns` for `fraction` (0 to 1), drawn in eighths of a column. What is more than nothing is never
 * less than one eighth, so that a small value beside a large one can be seen.
 */
export function bar(fraction: number, columns: number, options: { readonly ascii?: boolean } = {}): string {
  if (!(fraction > 0) || columns < 1) return ''
  const units = options.ascii ? 1 : 8
  const filled = Math.max(1, Math.round(Math.min(1, fraction) * columns * units))
  if (options.ascii) return '#'.repeat(filled)
  return '█'.repeat(Math.floor(filled / 8)) + eighths[filled % 8]!
}

const heights = '▁▂▃▄▅▆▇█'
const asciiHeights = '.:-=+*#@'

/** Numbers as a row of bars, one column each; nothing is a space. */
export function sparkline(counts: readonly number[], options: { readonly ascii?: boolean } = {}): string {
  const most = Math.max(0, ...counts)
  const signs = options.ascii ? asciiHeights : heights
  return counts
    .map(count => (count <= 0 ? ' ' : signs[Math.max(0, Math.ceil((count / most) * signs.length) - 1)]!))
    .join('')
}
