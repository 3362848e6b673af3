import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { lineWidth, span } from '../../render/text/spans.js'
import type { PaneContent } from '../screen/panes.js'
import { paneTitle } from '../screen/panes.js'
import { visible } from '../screen/window.js'
import { besideOf, entriesOf } from './entries.js'
import { hitsOf, marked } from './find.js'
import type { FrameContext } from './header.js'
import type { Layout } from './layout.js'
import * as lines from './pane-lines.js'
import type { FlowState, LowerPane } from './state.js'

/** All lines of a lower pane. */
export function paneLines(
  pane: LowerPane,
  state: FlowState,
  layout: Layout,
  { now, signs, offers }: Pick<FrameContext, 'now' | 'signs' | 'offers'>,
): readonly Line[] {
  switch (pane) {
    case 'exchange':
      return lines.exchangeLines(state, entriesOf(state)[state.selected], layout.exchange.columns, signs)
    case 'token':
      return lines.tokenPaneLines(state, layout.beside, now, signs)
    case 'server':
      return lines.serverPaneLines(state, offers.server, layout.beside.columns, signs)
  }
}

function titleOf(pane: LowerPane, state: FlowState): string {
  if (pane === 'exchange') return lines.exchangeTitle(entriesOf(state)[state.selected])
  return pane === 'token' ? lines.tokenTitle(state) : '4 Server'
}

/** The visible part of a pane, and the small texts of its frame. */
function seen(pane: LowerPane, state: FlowState, layout: Layout, context: FrameContext) {
  const all = paneLines(pane, state, layout, context)
  const { rows } = pane === 'exchange' ? layout.exchange : layout.beside
  const { lines: shown, position } = visible(all, state.scroll[pane], rows)
  const view = pane === 'server' || state.body === 'pretty' ? '' : state.body
  const { search } = state
  if (search?.pane !== pane) return { lines: shown, details: [view, position] }
  const hits = hitsOf(all, search.text).length
  const place = hits === 0 ? 'no hit' : `hit ${Math.min(search.hit, hits - 1) + 1}/${hits}`
  return { lines: shown.map(line => marked(line, search.text)), details: [view, place, position] }
}

/** The titles of panes that share a frame; the drawn one is in brackets. */
function tabs(which: readonly LowerPane[], drawn: LowerPane, state: FlowState, signs: Signs): Line {
  return which.flatMap((pane, i) => {
    const text = titleOf(pane, state)
    const tone = state.pane === pane ? 'title' : 'plain'
    const gap = i === 0 ? [] : [span(` ${signs.dot} `, 'dim')]
    return [...gap, pane === drawn ? span(`[${text}]`, tone) : span(text, 'dim')]
  })
}

/** The exchange by itself. */
export function exchangePane(state: FlowState, layout: Layout, context: FrameContext): PaneContent {
  const { lines: shown, details } = seen('exchange', state, layout, context)
  return {
    title: paneTitle(titleOf('exchange', state), state.pane === 'exchange'),
    aside: lines.aside(...details),
    lines: shown,
  }
}

/** The token, or what the server decided, beside the exchange. */
export function besidePane(state: FlowState, layout: Layout, context: FrameContext): PaneContent {
  const pane = besideOf(state)
  const { lines: shown, details } = seen(pane, state, layout, context)
  const focused = state.pane === pane
  const title = focused
    ? tabs(['token', 'server'], pane, state, context.signs)
    : [
        span(titleOf(pane, state)),
        span(` ${context.signs.dot} ${titleOf(pane === 'token' ? 'server' : 'token', state)}`, 'dim'),
      ]
  return { title, aside: lines.aside(...details), lines: shown }
}

/** All lower panes under one rule: their titles, the lines of one. */
export function tabbed(state: FlowState, layout: Layout, context: FrameContext): PaneContent {
  const entry = entriesOf(state)[state.selected]
  const { lines: shown, details } = seen(state.lower, state, layout, context)
  const result = entry && layout.arrangement !== 'small' ? lines.exchangeAside(entry) : ''
  const title = tabs(['exchange', 'token', 'server'], state.lower, state, context.signs)
  // Where the frame has no room for all, the place in the pane is what cannot be seen elsewhere.
  const room = layout.columns - lineWidth(title) - 9
  const whole = lines.aside(result, ...details)
  // What fits is not to depend on how quick an answer was: 9 ms take the room of 123 ms.
  const reserved = lines.aside(result.replace(/(?<![\d.])[\d.]+ ms$/, '123 ms'), ...details)
  return {
    title,
    aside: Math.max(lineWidth(whole), lineWidth(reserved)) <= room ? whole : lines.aside(...details),
    lines: shown,
  }
}
