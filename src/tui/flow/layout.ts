/** Columns and rows of a terminal. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** A terminal that reports no size, as a pty of 0x0 does, is taken for the usual one. */
export function sizeOf(terminal: { readonly columns?: number; readonly rows?: number }): Size {
  return { columns: terminal.columns || 80, rows: terminal.rows || 24 }
}

/** The three arrangements, chosen by size alone, and the sentence for less. */
export type Arrangement = 'wide' | 'normal' | 'small' | 'tooSmall'

/** Which arrangement fits. */
export function arrangementOf({ columns, rows }: Size): Arrangement {
  if (columns >= 100 && rows >= 28) return 'wide'
  if (columns >= 80 && rows >= 24) return 'normal'
  return columns >= 60 && rows >= 20 ? 'small' : 'tooSmall'
}

/** Where everything goes. Columns and rows are those of contents, frames not counted. */
export interface Layout {
  readonly arrangement: Arrangement
  readonly columns: number
  /** Lines of the frame: one less than the terminal has. */
  readonly height: number
  readonly sequence: { readonly columns: number; readonly rows: number }
  readonly exchange: { readonly columns: number; readonly rows: number }
  readonly token: { readonly columns: number; readonly rows: number }
}

/** Lines around the contents: of the sequence with its names, and of what is below. */
const frames = {
  wide: { sequence: 3, lower: 2, least: 10 },
  normal: { sequence: 2, lower: 1, least: 8 },
  small: { sequence: 0, lower: 1, least: 8 },
  tooSmall: { sequence: 0, lower: 1, least: 1 },
} as const

/**
 * Lays a flow out.
 * @param needed lines the whole sequence would take
 * @param grow lines the lower panes are to have beyond what they would get
 */
export function layOut(size: Size, needed: number, grow: number): Layout {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const height = Math.max(1, size.rows - 1)
  const frame = frames[arrangement]
  const room = Math.max(2, height - 2 - frame.sequence - frame.lower)
  const usual = Math.min(needed, room - frame.least)
  const rows = Math.max(Math.min(3, needed), Math.min(usual - grow, needed, room - 4))
  const lower = room - rows
  if (arrangement !== 'wide') {
    const sequence = { columns: arrangement === 'small' ? columns - 1 : columns, rows }
    const pane = { columns: columns - 2, rows: lower }
    return { arrangement, columns, height, sequence, exchange: pane, token: pane }
  }
  const left = Math.floor(columns * 0.56)
  return {
    arrangement,
    columns,
    height,
    sequence: { columns: columns - 4, rows },
    exchange: { columns: left - 4, rows: lower },
    token: { columns: columns - left - 4, rows: lower },
  }
}

/** The first line to show so that lines `from` to `to` (inclusive) are seen, and little moves. */
export function windowStart(total: number, rows: number, from: number, to: number): number {
  const last = Math.max(0, total - rows)
  // One line more, where there is one, so that what comes next can be seen.
  const wanted = Math.min(to + 2, total) - rows
  return Math.max(0, Math.min(last, Math.max(0, Math.min(wanted, from))))
}
