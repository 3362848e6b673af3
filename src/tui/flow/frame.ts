import { drawLanes, laneNames, placeLanes } from '../../render/lanes.js'
import { messagesOf } from '../../render/sequence.js'
import type { Signs } from '../../render/signs.js'
import type { Line } from '../../render/spans.js'
import { foreign, span } from '../../render/spans.js'
import { listSteps } from '../../render/step-list.js'
import { fitFrame } from '../screen/fit-frame.js'
import { hintLine } from '../screen/hints.js'
import type { PaneContent } from '../screen/panes.js'
import { beside, boxed, paneTitle, ruled } from '../screen/panes.js'
import type { Size } from '../screen/size.js'
import { arrangementOf } from '../screen/size.js'
import { visible, windowStart } from '../screen/window.js'
import { entriesOf } from './entries.js'
import type { FrameContext } from './header.js'
import { header } from './header.js'
import { helpOf, hintsOf } from './hints.js'
import type { Layout } from './layout.js'
import { layOut } from './layout.js'
import { loginLines } from './login-panel.js'
import * as panes from './pane-lines.js'
import type { FlowState } from './state.js'

/** The layout of a state: the sequence gets the lines its arrows need, as far as there is room. */
export function layoutOf(state: FlowState, size: Size): Layout {
  const entries = entriesOf(state)
  const small = arrangementOf(size) === 'small'
  const needed = small ? entries.length : entries.flatMap(entry => messagesOf(entry, 'all')).length
  return layOut(size, needed, state.grow)
}

function sequence(
  state: FlowState,
  layout: Layout,
  signs: Signs,
): { rule: string; names: Line; lines: Line[] } {
  const entries = entriesOf(state)
  const { columns, rows } = layout.sequence
  const masking = state.showSecrets ? 'none' : 'all'
  const rule = panes.ruleText(entries[state.selected]?.planned.rfc ?? '')
  const small = layout.arrangement === 'small'
  const lanes = placeLanes(state.plan, columns)
  const drawn = small
    ? listSteps(entries, columns - 1, signs).map((each, entry) => ({ entry, line: each }))
    : drawLanes(entries, lanes, { masking, signs })
  const from = drawn.findIndex(({ entry }) => entry === state.selected)
  const to = drawn.findLastIndex(({ entry }) => entry === state.selected)
  const start = windowStart(drawn.length, rows, from, to)
  return { rule, names: laneNames(lanes), lines: drawn.slice(start, start + rows).map(each => each.line) }
}

function exchangePane(state: FlowState, layout: Layout, signs: Signs): PaneContent {
  const entry = entriesOf(state)[state.selected]
  const { columns, rows } = layout.exchange
  const all = panes.exchangeLines(state, entry, columns, signs)
  const { lines, position } = visible(all, state.scroll.exchange, rows)
  const view = state.body === 'pretty' ? '' : state.body
  return {
    title: paneTitle(panes.exchangeTitle(entry), state.pane === 'exchange'),
    aside: panes.aside(view, position),
    lines,
  }
}

function tokenPane(state: FlowState, layout: Layout, { now, signs }: FrameContext): PaneContent {
  const { rows } = layout.token
  const all = panes.tokenPaneLines(state, layout.token, now, signs)
  const { lines, position } = visible(all, state.scroll.token, rows)
  return {
    title: paneTitle(panes.tokenTitle(state), state.pane === 'token'),
    aside: panes.aside(position),
    lines,
  }
}

/** The two lower panes under one rule: both titles, the lines of one. */
function tabbed(state: FlowState, layout: Layout, context: FrameContext): PaneContent {
  const { signs } = context
  const entry = entriesOf(state)[state.selected]
  const exchange = exchangePane(state, layout, signs)
  const token = tokenPane(state, layout, context)
  const shown = state.lower === 'token' ? token : exchange
  const mark = (pane: 'exchange' | 'token', text: string): Line =>
    state.lower === pane ? [span(`[${text}]`, state.pane === pane ? 'title' : 'plain')] : [span(text, 'dim')]
  const result = entry && layout.arrangement !== 'small' ? panes.exchangeAside(entry) : ''
  const details = shown.aside.map(each => each.text)
  return {
    title: [
      ...mark('exchange', panes.exchangeTitle(entry)),
      span(` ${signs.dot} `, 'dim'),
      ...mark('token', panes.tokenTitle(state)),
    ],
    aside: panes.aside(result, ...details),
    lines: shown.lines,
  }
}

function lower(state: FlowState, layout: Layout, context: FrameContext): Line[] {
  const { signs } = context
  const wide = layout.arrangement === 'wide'
  const rows = layout.exchange.rows
  if (state.login) {
    const lines = loginLines(state.login, layout.columns - 4, state.showSecrets, signs)
    const pane: PaneContent = { title: paneTitle('Log in', true), aside: [], lines }
    return wide ? boxed(pane, layout.columns, rows, signs) : ruled(pane, layout.columns, rows, signs)
  }
  if (!wide) return ruled(tabbed(state, layout, context), layout.columns, rows, signs)
  return beside(
    boxed(exchangePane(state, layout, signs), layout.exchange.columns + 4, rows, signs),
    boxed(tokenPane(state, layout, context), layout.token.columns + 4, rows, signs),
  )
}

function upper(state: FlowState, layout: Layout, signs: Signs): Line[] {
  const { rule, names, lines } = sequence(state, layout, signs)
  const { rows } = layout.sequence
  if (layout.arrangement === 'small') return Array.from({ length: rows }, (_, i) => lines[i] ?? [])
  const pane: PaneContent = {
    title: paneTitle('1 Sequence', state.pane === 'sequence'),
    aside: panes.aside(foreign(rule, signs)),
    lines: [names, ...lines],
  }
  return layout.arrangement === 'wide'
    ? boxed(pane, layout.columns, rows + 1, signs)
    : ruled(pane, layout.columns, rows + 1, signs, 0)
}

/** What the terminal shows: a function of the state, the size and the time. */
export function frameOf(state: FlowState, size: Size, context: FrameContext): Line[] {
  return fitFrame(() => bodyOf(state, size, context), size, context.signs)
}

function bodyOf(state: FlowState, size: Size, context: FrameContext): Line[] {
  const { signs } = context
  const layout = layoutOf(state, size)
  const { arrangement, columns } = layout
  if (state.help) return helpOf(columns, signs)
  return [
    header(state, size, context),
    ...upper(state, layout, signs),
    ...lower(state, layout, context),
    hintLine(hintsOf(state, signs), columns, arrangement === 'wide' ? 3 : 2),
  ]
}

/** The last line that may come first in a pane, so that scrolling ends with its last line. */
export function scrollLimit(state: FlowState, size: Size, context: FrameContext): number {
  const layout = layoutOf(state, size)
  if (state.pane === 'token') {
    return panes.tokenPaneLines(state, layout.token, context.now, context.signs).length - layout.token.rows
  }
  const { columns, rows } = layout.exchange
  const entry = entriesOf(state)[state.selected]
  return panes.exchangeLines(state, entry, columns, context.signs).length - rows
}
