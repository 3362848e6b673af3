import { clamp } from '../screen/clamp.js'
import { type Arrangement, arrangementOf, frameHeight, type Size } from '../screen/size.js'
import { type LearnState, showsLower } from './state.js'

/** The positions of a lesson's parts. Rows and columns are those of contents. */
export interface Layout {
  readonly arrangement: Arrangement
  readonly columns: number
  /** Columns inside a pane. */
  readonly inner: number
  readonly lesson: number
  /** Rows of the pane below; 0: it is not shown. */
  readonly lower: number
}

/** Lines of the frame of a pane: a box, or a rule above it. */
const FRAME = { wide: 2, normal: 1, small: 1, tooSmall: 1 } as const

/** Part of the rows that the pane with the keys takes. */
const LARGER = 0.66

/**
 * Lays a lesson out. The pane that the keys go to takes the larger part.
 * @param taken lines beside the panes: header, notices, verdict, command line and hints
 */
export function layOut(state: LearnState, size: Size, taken: number): Layout {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const inner = columns - (arrangement === 'wide' ? 4 : 2)
  const frame = FRAME[arrangement]
  const free = frameHeight(size) - taken
  if (!showsLower(state)) {
    return { arrangement, columns, inner, lesson: Math.max(1, free - frame), lower: 0 }
  }
  const rows = Math.max(2, free - 2 * frame)
  const larger = clamp(Math.round(rows * LARGER), 1, rows - 1)
  const lesson = state.pane === 'lesson' ? larger : rows - larger
  return { arrangement, columns, inner, lesson, lower: rows - lesson }
}
