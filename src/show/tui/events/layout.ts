import type { Arrangement, Size } from '../screen/size.js'
import { arrangementOf, frameHeight } from '../screen/size.js'

/** The positions of everything. Columns and rows are those of contents, frames and headings not counted. */
export interface Layout {
  readonly arrangement: Arrangement
  readonly columns: number
  /** Rows of values, below their headings. */
  readonly counts: { readonly columns: number; readonly rows: number }
  readonly list: { readonly columns: number; readonly rows: number }
  readonly lower: { readonly columns: number; readonly rows: number }
  /** An open event, in place of all panes. */
  readonly single: { readonly columns: number; readonly rows: number }
}

/** Lines that are no contents: header, hints, frames, headings of the counts and of the list. */
const framing = { wide: 10, normal: 7, small: 7, tooSmall: 7 } as const

/** Values of each field. */
const values = { wide: 5, normal: 4, small: 3, tooSmall: 3 } as const

/** The part of the room below the counts that the lower panes get. */
const LOWER = 0.45

/** Lays the screen out. */
export function layOut(size: Size): Layout {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const height = frameHeight(size)
  const counts = values[arrangement]
  const room = Math.max(4, height - framing[arrangement] - counts)
  const lower = Math.max(2, Math.round(room * LOWER))
  const wide = arrangement === 'wide'
  const inner = columns - (wide ? 4 : 2)
  return {
    arrangement,
    columns,
    counts: { columns: inner, rows: counts },
    list: { columns: inner, rows: Math.max(2, room - lower) },
    lower: { columns: wide ? Math.floor(columns / 2) - 4 : inner, rows: lower },
    single: { columns: inner, rows: Math.max(1, height - (wide ? 4 : 3)) },
  }
}
