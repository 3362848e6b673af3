import { drawLanes, laneNames, placeLanes } from '../../render/steps/lanes.js'
import { messageCount } from '../../render/steps/sequence.js'
import { listSteps } from '../../render/steps/step-list.js'
import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign } from '../../render/text/spans.js'
import { tokenTicks } from '../../render/tokens/token-lines.js'
import { fitFrame } from '../screen/fit-frame.js'
import { menuBox } from '../screen/menu.js'
import { centred } from '../screen/overlay.js'
import type { PaneContent } from '../screen/panes.js'
import { beside, boxed, paneTitle, ruled } from '../screen/panes.js'
import type { Size } from '../screen/size.js'
import { arrangementOf } from '../screen/size.js'
import { weakNoticeLines } from '../screen/weak-notice.js'
import { windowStart } from '../screen/window.js'
import { besideOf, entriesOf } from './entries.js'
import type { FrameContext } from './header.js'
import { header } from './header.js'
import { heldLines } from './held.js'
import { bottomLine, helpOf } from './hints.js'
import type { Layout } from './layout.js'
import { layOut } from './layout.js'
import { loginLines } from './login-panel.js'
import { menuOf } from './menus.js'
import { aside, ruleText, shownToken } from './pane-lines.js'
import { besidePane, exchangePane, paneLines, tabbed } from './panes.js'
import { qrPage } from './qr-page.js'
import { retryLines } from './retry-panel.js'
import { type FlowState, MOST_GROWTH } from './state.js'

/** The notice of a weak lab. */
const noticeOf = ({ weak }: FlowState, { columns }: Size): Line[] => weakNoticeLines(weak, columns)

/** The layout of a state: the sequence gets the lines its arrows need, as far as there is room. */
export function layoutOf(state: FlowState, size: Size): Layout {
  const entries = entriesOf(state)
  const small = arrangementOf(size) === 'small'
  const needed = small
    ? entries.length
    : entries.reduce((count, { planned }) => count + messageCount(planned), 0)
  // The panel for an address has a long one to show.
  const grow = state.login?.prompt.pastes === undefined ? state.grow : MOST_GROWTH
  return layOut(size, needed, grow, noticeOf(state, size).length)
}

/** The part of the sequence around the selected step: only what can be seen is drawn. */
function sequence(
  state: FlowState,
  layout: Layout,
  signs: Signs,
): { rule: string; names: Line; lines: Line[] } {
  const entries = entriesOf(state)
  const { columns, rows } = layout.sequence
  const rule = ruleText(entries[state.selected]?.planned.rfc ?? '')
  const small = layout.arrangement === 'small'
  const heights = entries.map(({ planned }) => (small ? 1 : messageCount(planned)))
  const tops: number[] = []
  let total = 0
  for (const height of heights) {
    tops.push(total)
    total += height
  }
  const from = tops[state.selected] ?? 0
  const start = windowStart(total, rows, from, from + (heights[state.selected] ?? 1) - 1)
  const first = tops.findLastIndex(top => top <= start)
  const last = tops.findLastIndex(top => top < start + rows)
  const shown = entries.slice(Math.max(0, first), last + 1)
  const lanes = placeLanes(state.plan, columns)
  const drawn = small
    ? listSteps(shown, columns - 1, signs)
    : drawLanes(shown, lanes, { masking: state.showSecrets ? 'none' : 'all', signs }).map(({ line }) => line)
  const skipped = start - (tops[Math.max(0, first)] ?? 0)
  return { rule, names: laneNames(lanes), lines: drawn.slice(skipped, skipped + rows) }
}

/** A panel over the whole width that the person has to answer before anything else. */
function panelOf(state: FlowState, layout: Layout, signs: Signs): PaneContent | undefined {
  const columns = layout.columns - 4
  const { login, held, noAnswer, showSecrets } = state
  const panel = (title: string, lines: Line[]): PaneContent => ({
    title: paneTitle(title, true),
    aside: [],
    lines,
  })
  if (login) {
    const asksCode = login.prompt.pastes === undefined ? 'One-time code' : 'Paste the address'
    const title = login.field === 'code' ? asksCode : 'Log in'
    return panel(title, loginLines(login, columns, showSecrets, signs, state.notices.at(-1)))
  }
  const { rows } = layout.exchange
  if (held) return panel('Before it is sent', heldLines(held, { columns, rows, showSecrets }, signs))
  return noAnswer === undefined ? undefined : panel('No answer', retryLines(noAnswer, columns, signs))
}

function lower(state: FlowState, layout: Layout, context: FrameContext): Line[] {
  const { signs } = context
  const wide = layout.arrangement === 'wide'
  const { rows } = layout.exchange
  const panel = panelOf(state, layout, signs)
  if (panel) return (wide ? boxed : ruled)(panel, layout.columns, rows, signs)
  if (!wide) return ruled(tabbed(state, layout, context), layout.columns, rows, signs)
  return beside(
    boxed(exchangePane(state, layout, context), layout.exchange.columns + 4, rows, signs),
    boxed(besidePane(state, layout, context), layout.beside.columns + 4, rows, signs),
  )
}

function upper(state: FlowState, layout: Layout, signs: Signs): Line[] {
  const { rule, names, lines } = sequence(state, layout, signs)
  const { rows } = layout.sequence
  if (layout.arrangement === 'small') return Array.from({ length: rows }, (_, i) => lines[i] ?? [])
  const pane: PaneContent = {
    title: paneTitle('1 Sequence', state.pane === 'sequence'),
    aside: aside(foreign(rule, signs)),
    lines: [names, ...lines],
  }
  return layout.arrangement === 'wide'
    ? boxed(pane, layout.columns, rows + 1, signs)
    : ruled(pane, layout.columns, rows + 1, signs, 0)
}

/** The content of the terminal: a function of the state, the size and the time. */
export function frameOf(state: FlowState, size: Size, context: FrameContext): Line[] {
  return fitFrame(() => bodyOf(state, size, context), size, context.signs)
}

function bodyOf(state: FlowState, size: Size, context: FrameContext): Line[] {
  const { signs, offers, now } = context
  const layout = layoutOf(state, size)
  const { arrangement, columns, height } = layout
  if (state.help) return helpOf(size, signs)
  if (state.qr) return qrPage(state.qr, size, signs)
  const panes = [...upper(state, layout, signs), ...lower(state, layout, context)]
  const { menu } = state
  const notice = noticeOf(state, size)
  const room = { columns, rows: height - 2 - notice.length }
  const drawn = menu
    ? centred(panes, menuBox(menuOf(menu.name, state, offers, now), menu.at, room, signs), room)
    : panes
  return [
    header(state, size, context),
    ...notice,
    ...drawn,
    bottomLine(state, columns, arrangement === 'wide' ? 3 : 2, signs),
  ]
}

/** The last line that may come first in the pane with the keys, so that scrolling ends with its last line. */
export function scrollLimit(state: FlowState, size: Size, context: FrameContext): number {
  if (state.pane === 'sequence') return 0
  const layout = layoutOf(state, size)
  return paneLines(state.pane, state, layout, context).length - layout.exchange.rows
}

/** True when a countdown is visible. */
export function ticks(state: FlowState, size: Size): boolean {
  const arrangement = arrangementOf(size)
  if (state.help || state.qr || state.login || state.held || arrangement === 'tooSmall') return false
  const token = shownToken(state)
  const seen = arrangement === 'wide' ? besideOf(state) === 'token' : state.lower === 'token'
  return seen && token !== undefined && tokenTicks(token)
}
