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

/** Lines of a frame: one less than the terminal has, since Ink erases the scrollback for one as tall as it. */
export function frameHeight({ rows }: Size): number {
  return Math.max(1, rows - 1)
}
