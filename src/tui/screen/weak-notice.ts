import type { Line } from '../../render/spans.js'
import { line } from '../../render/spans.js'
import { wrap } from '../../render/text.js'
import { type ShownWeak, weakNotice } from '../../rules/weak-modes.js'

/** Most lines that the notice takes from a screen. */
const MOST = 2

/** The lines below the header of a screen that shows a weak lab; none for a strict one. */
export function weakNoticeLines(weak: readonly ShownWeak[], columns: number): Line[] {
  const notice = weakNotice(weak)
  if (notice === undefined) return []
  const parts = wrap(notice, columns - 11)
  return parts
    .slice(0, MOST)
    .map((part, i) => line(` ${part}${i === MOST - 1 && parts.length > MOST ? ' and more' : ''}`, 'refused'))
}
