import { splitUrl } from '../../../protocol/http/message.js'
import { ruleName } from '../../render/rule-lines.js'
import { drawLanes, laneNames, placeLanes } from '../../render/steps/lanes.js'
import {
  type Entry,
  messageCount,
  ROLE_NAMES,
  redirectsError,
  statusSign,
} from '../../render/steps/sequence.js'
import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, span, spread } from '../../render/text/spans.js'
import { pad, wrap } from '../../render/text/text.js'
import { tokenTicks } from '../../render/tokens/token-lines.js'
import { centred, framed, screenFrame, screenHints, tableHints } from '../screen/frame.js'
import { type Hint, hintLine } from '../screen/help.js'
import { EDIT_KEYS } from '../screen/key-rows.js'
import { windowStart } from '../screen/list.js'
import { menuBox } from '../screen/menu.js'
import { beside, boxed, type PaneContent, paneTitle, ruled } from '../screen/panes.js'
import { searchLine } from '../screen/search.js'
import { arrangementOf, type Size } from '../screen/size.js'
import { heldLines } from './held.js'
import { FLOW_KEYS } from './keys.js'
import { loginLines } from './login.js'
import { aheadText, menuOf } from './menus.js'
import { HELD_KEYS, LOGIN_KEYS, RETRY_KEYS } from './panel-keys.js'
import {
  aside,
  besidePane,
  exchangePane,
  type FrameContext,
  type Layout,
  layoutOf,
  noticeOf,
  shownToken,
  tabbed,
} from './panes.js'
import { qrPage } from './qr-page.js'
import { besideOf, entriesOf, type FlowState, stepsOf } from './state.js'

const names = { ...ROLE_NAMES, authorization_server: 'server', resource_server: 'resource' }

function what({ planned, step }: Entry): string {
  if (step?.exchange === undefined) return planned.title
  return `${step.exchange.request.method} ${splitUrl(step.exchange.request.url).path}`
}

/** The steps of a flow where there is no room for lanes: who, whom, what, status. */
function listSteps(entries: readonly Entry[], columns: number, signs: Signs): Line[] {
  return entries.map(entry => {
    const { planned, step, status } = entry
    const { sign, tone } = statusSign(step && redirectsError(step) ? 'refused' : status, signs)
    const answered = planned.to === 'authorization_server' || planned.to === 'resource_server'
    const who = `${pad(names[planned.from], 7)} ${answered ? signs.both : signs.to} ${pad(names[planned.to], 8)}`
    const text = `  ${who}  ${foreign(what(entry), signs)}`
    const textTone = status === 'now' || status === 'refused' ? 'strong' : step ? 'plain' : 'dim'
    const answer = step?.exchange?.response?.status
    return spread(
      [span(` ${sign} ${entry.n}`, tone), span(text, textTone)],
      [span(answer === undefined ? '' : String(answer), answer && answer >= 400 ? 'refused' : 'plain')],
      columns,
      signs,
    )
  })
}

/** The activity of the flow, or its ending. */
function statusOf({ outcome, waiting, login, held, noAnswer }: FlowState, signs: Signs): Line {
  const gap = span('  ')
  if (outcome?.expected) return [span(`${signs.done} refused as expected`, 'done'), gap]
  if (outcome?.outcome === 'refused' && outcome.tamper?.found !== undefined)
    return [span(`${signs.done} refused in another way`, 'done'), gap]
  if (outcome?.tamper?.harmless !== undefined) return [span(`${signs.done} harmless here`, 'done'), gap]
  if (outcome?.outcome === 'granted' && outcome.expected !== false)
    return [span(`${signs.done} ${outcome.logged_out ? 'logged out' : 'granted'}`, 'done'), gap]
  if (outcome !== undefined) {
    const ending = outcome.outcome === 'granted' ? 'not refused' : outcome.outcome
    return [span(`${signs.refused} ${ending}`, 'refused'), gap]
  }
  if (held) return [span(`${signs.now} not sent yet`, 'now'), gap]
  if (noAnswer !== undefined) return [span(`${signs.refused} no answer`, 'refused'), gap]
  if (!waiting) return []
  return [span(`${signs.now} ${login ? 'log in' : 'waiting'}`, 'now'), gap]
}

/** The unusual settings: the lab's clock, a wrong move, a breakpoint. */
function banner({ clockAhead, breaks }: FlowState, signs: Signs): Line {
  const clock =
    clockAhead > 0 ? [span(`${signs.look} clock +${aheadText(clockAhead)}`, 'look'), span('  ')] : []
  const held = breaks === 'always' ? [span(`${signs.look} breaks`, 'look'), span('  ')] : []
  return [...clock, ...held]
}

/** The first line: the flow, the client, the server, and the selected step. */
function header(state: FlowState, size: Size, { command, clientId, issuer, signs }: FrameContext): Line {
  const entry = entriesOf(state)[state.selected]
  const count = `${entry?.n ?? 0} of ${stepsOf(state)}`
  const status = [...banner(state, signs), ...statusOf(state, signs)]
  const typed =
    state.move === undefined ? command : `${command.replace(/ --tamper \S+$/, '')} --tamper ${state.move}`
  const client = foreign(clientId, signs)
  if (arrangementOf(size) === 'small') {
    const left = [span(` ${typed}`, 'title'), span(` ${signs.dot} ${client}`)]
    return spread(left, [...status, span(`${count} `)], size.columns, signs)
  }
  const wide = arrangementOf(size) === 'wide'
  const left = [
    span(' oauth-lab  ', 'dim'),
    span(typed, 'title'),
    span(`   client ${client}`),
    span(wide ? `   ${foreign(issuer, signs)}` : '', 'dim'),
  ]
  return spread(left, [...status, span(`step ${count} `)], size.columns, signs)
}

/** The part of the sequence around the selected step: only what can be seen is drawn. */
function sequence(
  state: FlowState,
  layout: Layout,
  signs: Signs,
): { rule: string; names: Line; lines: Line[] } {
  const entries = entriesOf(state)
  const { columns, rows } = layout.sequence
  const rule = ruleName(entries[state.selected]?.planned.rfc ?? '')
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

/** The lines of the panel for a request without an answer. */
function retryLines(why: string, columns: number, signs: Signs): Line[] {
  const [first = '', ...more] = wrap(foreign(why, signs), columns - 2)
  return [
    [span(`${signs.refused} `, 'refused'), span(first, 'strong')],
    ...more.map(part => line(`  ${part}`, 'strong')),
    line(''),
    line('  The request was sent, or could not be; nobody knows what the server did with it.'),
    line('  Send it again once the server is back, or let the flow fail.'),
  ]
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
  if (panel) return framed(layout.arrangement, panel, layout.columns, rows, signs)
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
  return framed(layout.arrangement, pane, layout.columns, rows + 1, signs, 0)
}

/** The hints that mean something in this state. */
function hintsOf(state: FlowState, signs: Signs): Hint[] {
  const { login, held, noAnswer, finding } = state
  if (login) return tableHints(LOGIN_KEYS, state, signs)
  if (finding !== undefined || held?.editing) return tableHints(EDIT_KEYS, undefined, signs)
  if (held) return tableHints(HELD_KEYS, state, signs)
  if (noAnswer !== undefined) return tableHints(RETRY_KEYS, state, signs)
  return screenHints(FLOW_KEYS, state, signs)
}

/** The last line: what is searched for, or the hints. */
function bottomLine(state: FlowState, columns: number, gap: number, signs: Signs): Line {
  const hints = hintsOf(state, signs)
  const { finding } = state
  if (finding === undefined) return hintLine(hints, columns, gap)
  return searchLine(finding, hints, columns, signs)
}

function panes(state: FlowState, size: Size, context: FrameContext): Line[] {
  const { signs, offers, now } = context
  const layout = layoutOf(state, size)
  const { arrangement, columns, height } = layout
  if (state.qr) return qrPage(state.qr, size, signs)
  const drawn = [...upper(state, layout, signs), ...lower(state, layout, context)]
  const { menu } = state
  const notice = noticeOf(state, size)
  const room = { columns, rows: height - 2 - notice.length }
  return [
    header(state, size, context),
    ...notice,
    ...(menu
      ? centred(drawn, menuBox(menuOf(menu.name, state, offers, now), menu, room, signs), room)
      : drawn),
    bottomLine(state, columns, arrangement === 'wide' ? 3 : 2, signs),
  ]
}

/** The content of the terminal: a function of the state, the size and the time. */
export function frameOf(state: FlowState, size: Size, context: FrameContext): Line[] {
  return screenFrame(state, size, context.signs, {
    keys: FLOW_KEYS,
    notes: ['at the login: tab field, ^b your browser, esc cancel'],
    panes: () => panes(state, size, context),
    hints: hintsOf(state, context.signs),
  })
}

/** True when a countdown is visible. */
export function ticks(state: FlowState, size: Size): boolean {
  const arrangement = arrangementOf(size)
  if (state.page || state.qr || state.login || state.held || arrangement === 'tooSmall') return false
  const token = shownToken(state)
  const seen = arrangement === 'wide' ? besideOf(state) === 'token' : state.lower === 'token'
  return seen && token !== undefined && tokenTicks(token)
}
