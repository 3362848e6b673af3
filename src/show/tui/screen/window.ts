import type { Line } from '../../render/text/spans.js'

/** The first line to show so that lines `from` to `to` (inclusive) are seen, and little moves. */
export function windowStart(total: number, rows: number, from: number, to: number): number {
  const last = Math.max(0, total - rows)
  // One line more, where there is one, so that what comes next can be seen.
  const wanted = Math.min(to + 2, total) - rows
  return Math.max(0, Math.min(last, Math.max(0, Math.min(wanted, from))))
}

/** Which lines of how many are shown, when not all are: `3-9/40`. */
export function positionText(first: number, rows: number, total: number): string {
  return total <= rows ? '' : `${first + 1}-${Math.min(total, first + rows)}/${total}`
}

/** The visible part of a pane's lines, and its position. */
export interface Visible {
  readonly lines: readonly Line[]
  readonly first: number
  readonly position: string
}

/** The lines of a pane from `scroll` on, never less than fit. */
export function visible(lines: readonly Line[], scroll: number, rows: number): Visible {
  const first = Math.max(0, Math.min(scroll, lines.length - rows))
  return {
    lines: lines.slice(first, first + rows),
    first,
    position: positionText(first, rows, lines.length),
  }
}
