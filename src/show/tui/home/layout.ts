import type { Arrangement, Size } from '../screen/size.js'
import { arrangementOf, frameHeight } from '../screen/size.js'

/** The positions of everything. Columns and rows are those of contents, frames and headings not counted. */
export interface Layout {
  readonly arrangement: Arrangement
  readonly columns: number
  readonly list: { readonly columns: number; readonly rows: number }
  readonly detail: { readonly columns: number; readonly rows: number }
}

/** Lines that are no contents: header, hints, frames or rules. */
const framing = { wide: 6, normal: 4, small: 4, tooSmall: 4 } as const

/** Lines of the command line and what is below it. */
const details = { wide: 5, normal: 4, small: 3, tooSmall: 1 } as const

/** Lays the menu out. */
export function layOut(size: Size): Layout {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const rows = details[arrangement]
  const inner = columns - (arrangement === 'wide' ? 4 : 2)
  return {
    arrangement,
    columns,
    list: { columns: inner, rows: Math.max(1, frameHeight(size) - framing[arrangement] - rows) },
    detail: { columns: inner, rows },
  }
}
