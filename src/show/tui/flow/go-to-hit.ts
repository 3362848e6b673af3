import type { Size } from '../screen/size.js'
import type { Store } from '../screen/store.js'
import type { Action } from './actions.js'
import { hitsOf } from './find.js'
import { layoutOf } from './frame.js'
import type { FrameContext } from './header.js'
import { paneLines } from './panes.js'
import type { FlowState } from './state.js'

/**
 * Scrolls the pane with the keys to a line that holds the text, and says so when no line does.
 * @param by 0: the first hit from here on; else that many hits further, round the end
 */
export function goToHit(
  { get, dispatch }: Store<FlowState, Action>,
  size: Size,
  context: FrameContext,
  text: string,
  by: number,
): void {
  const state = get()
  const { pane, search } = state
  if (pane === 'sequence') return
  const layout = layoutOf(state, size)
  const lines = paneLines(pane, state, layout, context)
  const hits = hitsOf(lines, text)
  if (hits.length === 0) {
    dispatch({ type: 'forget' })
    dispatch({ type: 'message', text: `${JSON.stringify(text)} is not in this pane`, good: false })
    return
  }
  const current = search?.pane === pane && search.text === text ? search.hit : undefined
  const fromHere = Math.max(
    0,
    hits.findIndex(line => line >= state.scroll[pane]),
  )
  const hit = current === undefined || by === 0 ? fromHere : (current + by + hits.length) % hits.length
  const last = Math.max(0, lines.length - layout.exchange.rows)
  // A line above it, for what it belongs to.
  const line = Math.max(0, Math.min(last, hits[hit]! - 1))
  dispatch({ type: 'found', pane, text, hit, line })
}
