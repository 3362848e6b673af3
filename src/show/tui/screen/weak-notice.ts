import { type ShownWeak, weakNotice } from '../../../protocol/rules/weak-modes.js'
import type { Line } from '../../render/text/spans.js'
import { line } from '../../render/text/spans.js'
import { wrap } from '../../render/text/text.js'

/** Most lines that the notice takes from a screen. */
const MOST = 2

/** The notice with the sentences of the first `shown` modes, and the number of the others. */
function noticeOf(weak: readonly ShownWeak[], shown: number): string | undefined {
  const notice = weakNotice(weak.slice(0, shown))
  const left = weak.length - shown
  return notice === undefined || left === 0 ? notice : `${notice}; and ${left} more`
}

/** The lines below the header of a screen that shows a weak lab, with as many whole sentences as fit; none for a strict one. */
export function weakNoticeLines(weak: readonly ShownWeak[], columns: number): Line[] {
  for (let shown = weak.length; shown > 0; shown--) {
    const notice = noticeOf(weak, shown)
    if (notice === undefined) return []
    const parts = wrap(notice, columns - 2)
    if (parts.length <= MOST || shown === 1)
      return parts.slice(0, MOST).map(part => line(` ${part}`, 'refused'))
  }
  return []
}
