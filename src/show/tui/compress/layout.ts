import type { Arrangement, Size } from '../screen/size.js'
import { arrangementOf, frameHeight } from '../screen/size.js'

/** The positions of everything. Columns and rows are those of contents, frames and headings not counted. */
export interface Layout {
  readonly arrangement: Arrangement
  readonly columns: number
  readonly hops: {
    readonly columns: number
    readonly rows: number
    /** True when a line fits between two cases. */
    readonly spaced: boolean
  }
  readonly why: { readonly columns: number; readonly rows: number }
}

/** Lines that are no contents: header, hints, frames or rules. */
const framing = { wide: 6, normal: 4, small: 4, tooSmall: 4 } as const

/** Lines of the why pane that come before lines between the cases. */
const ENOUGH = 5

/**
 * Lays the lab out: the hops get the lines that they have, the reasons the rest.
 * @param cases how many there are
 * @param hops of all cases together
 */
export function layOut(
  size: Size,
  { cases, hops }: { readonly cases: number; readonly hops: number },
): Layout {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const wide = arrangement === 'wide'
  const room = Math.max(3, frameHeight(size) - framing[arrangement])
  const head = wide ? 2 : 0
  const tight = head + hops + (arrangement === 'small' ? 0 : cases)
  const spaced = wide && room - (tight + cases - 1) >= ENOUGH
  const rows = Math.min(spaced ? tight + cases - 1 : tight, room - 2)
  const inner = columns - (wide ? 4 : 2)
  return {
    arrangement,
    columns,
    hops: { columns: inner, rows, spaced },
    why: { columns: inner, rows: room - rows },
  }
}
