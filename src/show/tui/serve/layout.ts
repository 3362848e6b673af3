import type { Arrangement, Size } from '../screen/size.js'
import { arrangementOf, frameHeight } from '../screen/size.js'

/** The positions of everything. Columns and rows are those of contents, frames and headings not counted. */
export interface Layout {
  readonly arrangement: Arrangement
  readonly columns: number
  readonly requests: { readonly columns: number; readonly rows: number }
  readonly lower: { readonly rows: number }
  /** An open entry, in place of all panes. */
  readonly single: { readonly columns: number; readonly rows: number }
}

/** Lines that are no contents: header, hints, frames, the heading of the requests. */
const framing = { wide: 7, normal: 5, small: 4, tooSmall: 4 } as const

/** The part of the room that the lower panes get. */
const LOWER = 0.38

/**
 * Lays the dashboard out.
 * @param grow lines that the lower panes are to have beyond their usual ones
 * @param notice lines of a notice below the header
 */
export function layOut(size: Size, grow: number, notice = 0): Layout {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const height = frameHeight(size) - notice
  const room = Math.max(4, height - framing[arrangement])
  const lower = Math.max(2, Math.min(room - 2, Math.round(room * LOWER) + grow))
  const wide = arrangement === 'wide'
  return {
    arrangement,
    columns,
    requests: { columns: columns - (wide ? 4 : 2), rows: room - lower },
    lower: { rows: lower },
    single: { columns: columns - (wide ? 4 : 2), rows: Math.max(1, height - (wide ? 4 : 3)) },
  }
}
