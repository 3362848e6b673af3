import type { Arrangement, Size } from '../screen/size.js'
import { arrangementOf, frameHeight } from '../screen/size.js'

/** The positions of everything. Columns and rows are those of contents, frames not counted. */
export interface Layout {
  readonly arrangement: Arrangement
  readonly columns: number
  /** Lines of the frame: one less than the terminal has. */
  readonly height: number
  readonly sequence: { readonly columns: number; readonly rows: number }
  readonly exchange: { readonly columns: number; readonly rows: number }
  /** Of the token, and of what the server decided. */
  readonly beside: { readonly columns: number; readonly rows: number }
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
 * @param notice lines of a notice below the header
 */
export function layOut(size: Size, needed: number, grow: number, notice = 0): Layout {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const height = frameHeight(size)
  const frame = frames[arrangement]
  const room = Math.max(2, height - notice - 2 - frame.sequence - frame.lower)
  const usual = Math.min(needed, room - frame.least)
  const rows = Math.max(Math.min(3, needed), Math.min(usual - grow, needed, room - 4))
  const lower = room - rows
  if (arrangement !== 'wide') {
    const sequence = { columns: arrangement === 'small' ? columns - 1 : columns, rows }
    const pane = { columns: columns - 2, rows: lower }
    return { arrangement, columns, height, sequence, exchange: pane, beside: pane }
  }
  const left = Math.floor(columns * 0.56)
  return {
    arrangement,
    columns,
    height,
    sequence: { columns: columns - 4, rows },
    exchange: { columns: left - 4, rows: lower },
    beside: { columns: columns - left - 4, rows: lower },
  }
}
