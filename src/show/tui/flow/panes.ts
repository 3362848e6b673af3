import type { Step, StepToken } from '../../../flows/step.js'
import { maskValue } from '../../../protocol/safe-output/mask.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import { serverLines } from '../../render/events/server-lines.js'
import { ruleName } from '../../render/rule-lines.js'
import { stepLines } from '../../render/steps/exchange-lines.js'
import { outcomeLines } from '../../render/steps/outcome-lines.js'
import { type Entry, messageCount } from '../../render/steps/sequence.js'
import { bytesText, millisecondsText } from '../../render/text/numbers.js'
import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, lineWidth, plainText, span } from '../../render/text/spans.js'
import { wrap } from '../../render/text/text.js'
import { tokenLines } from '../../render/tokens/token-lines.js'
import { weakNoticeLines } from '../screen/frame.js'
import { visible } from '../screen/list.js'
import { type PaneContent, paneTitle, tabTitle } from '../screen/panes.js'
import { hitText, marked } from '../screen/search.js'
import { arrangementOf, frameHeight, type Size } from '../screen/size.js'
import type { FlowOffers } from './offers.js'
import {
  besideOf,
  endedAt,
  entriesOf,
  type FlowState,
  type LowerPane,
  MOST_GROWTH,
  serverEventsAt,
  tokensAt,
} from './state.js'

/** How the raw parts of a token are to be shown. */
interface PartsView {
  readonly columns: number
  readonly showSecrets: boolean
  readonly signs: Signs
}

function jsonLines(members: object, { columns, signs }: PartsView): Line[] {
  return JSON.stringify(members, null, 2)
    .split('\n')
    .flatMap(text => wrap(foreign(text, signs), columns - 2).map(part => line(`  ${part}`)))
}

/** A token as it travels, part by part: each as it is written, and what it holds. */
function tokenParts(token: StepToken, view: PartsView): Line[] {
  const { columns, showSecrets, signs } = view
  const written = (text: string): Line[] =>
    wrap(foreign(text, signs), columns - 2).map(part => line(`  ${part}`, 'dim'))
  const title = (name: string, characters: number): Line => [
    span(name, 'name'),
    span(`  ${characters.toLocaleString('en-US')} characters`, 'dim'),
  ]
  const decoded = decodeIfJwt(token.value)
  if (decoded === undefined) {
    const value = showSecrets ? token.value : maskValue(token.value)
    return [title('opaque', token.value.length), ...written(value)]
  }
  const [header, claims, signature] = decoded.parts
  // Anyone who has the signature has the token; the other parts are in the pane already.
  const proof = showSecrets ? signature : maskValue(signature)
  return [
    title('header', header.length),
    ...written(header),
    ...jsonLines(decoded.header, view),
    line(''),
    title('claims', claims.length),
    ...written(claims),
    ...jsonLines(decoded.claims, view),
    line(''),
    title('signature', signature.length),
    ...written(proof === '' ? 'none' : proof),
    ...(showSecrets || signature === '' ? [] : [line('  s shows it whole', 'dim')]),
  ]
}

/** The values that a frame shows besides the state. */
export interface FrameContext {
  /** As it is typed: `flow code`. */
  readonly command: string
  readonly clientId: string
  readonly issuer: string
  readonly signs: Signs
  readonly offers: FlowOffers
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Lines around the contents: of the sequence with its names, and of what is below. */
const frames = {
  wide: { sequence: 3, lower: 2, least: 10 },
  normal: { sequence: 2, lower: 1, least: 8 },
  small: { sequence: 0, lower: 1, least: 8 },
  tooSmall: { sequence: 0, lower: 1, least: 1 },
} as const

/**
 * Lays a flow out. Columns and rows are those of contents, frames not counted; `height` is that of the frame, one less than
 * the terminal has. `beside` is for the token, and for what the server decided.
 * @param needed lines the whole sequence would take
 * @param grow lines the lower panes are to have beyond what they would get
 * @param notice lines of a notice below the header
 */
export function layOut(size: Size, needed: number, grow: number, notice = 0) {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const height = frameHeight(size)
  const frame = frames[arrangement]
  const room = Math.max(2, height - notice - 2 - frame.sequence - frame.lower)
  const usual = Math.min(needed, room - frame.least)
  const rows = Math.max(Math.min(3, needed), Math.min(usual - grow, needed, room - 4))
  const lower = room - rows
  if (arrangement !== 'wide') {
    const sequence = { columns: arrangement === 'small' ? columns - 1 : columns, rows }
    const pane = { columns: columns - 2, rows: lower }
    return { arrangement, columns, height, sequence, exchange: pane, beside: pane }
  }
  const left = Math.floor(columns * 0.56)
  return {
    arrangement,
    columns,
    height,
    sequence: { columns: columns - 4, rows },
    exchange: { columns: left - 4, rows: lower },
    beside: { columns: columns - left - 4, rows: lower },
  }
}

export type Layout = ReturnType<typeof layOut>

/** The notice of a weak lab. */
export const noticeOf = ({ weak }: FlowState, { columns }: Size): Line[] => weakNoticeLines(weak, columns)

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

/** The lines of a step that has not happened, and of the thing it waits for. */
function plannedLines(entry: Entry, state: FlowState, columns: number, signs: Signs): Line[] {
  const { title, why, rfc } = entry.planned
  const prose = (text: string, tone: 'plain' | 'dim' = 'plain'): Line[] =>
    wrap(foreign(text, signs), columns).map(part => line(part, tone))
  const under = state.waiting && entry.status === 'now'
  const planned = [
    ...prose(why),
    line(''),
    line(foreign(title, signs), 'strong'),
    ...prose(ruleName(rfc), 'dim'),
  ]
  if (!under) return planned
  // What the person has to do now comes first.
  if (state.notices.length > 0) return [...state.notices.flatMap(text => prose(text)), line(''), ...planned]
  return [...planned, line(''), line(`waiting for the answer${signs.ellipsis}`, 'now')]
}

/** The lines of a step are made once for a way to show it: a long body takes longer than a key may wait. */
const made = new WeakMap<Step, { readonly as: string; readonly lines: readonly Line[] }>()

function happenedLines(
  step: Step,
  { body, showSecrets, allHeaders }: FlowState,
  columns: number,
  signs: Signs,
): readonly Line[] {
  const as = `${columns} ${body} ${showSecrets} ${allHeaders} ${signs.ascii}`
  const known = made.get(step)
  if (known?.as === as) return known.lines
  const lines = stepLines(step, { columns, body, masking: showSecrets ? 'none' : 'all', allHeaders, signs })
  made.set(step, { as, lines })
  return lines
}

/** All lines of the exchange pane: the outcome where the flow ended here, the exchange, or the plan. */
function exchangeLines(
  state: FlowState,
  entry: Entry | undefined,
  columns: number,
  signs: Signs,
): readonly Line[] {
  if (entry === undefined) return []
  const ended = state.outcome !== undefined && endedAt(state) === state.selected
  const outcome = ended && state.outcome ? [...outcomeLines(state.outcome, columns, signs), line('')] : []
  const happened = entry.step
    ? happenedLines(entry.step, state, columns, signs)
    : plannedLines(entry, state, columns, signs)
  return outcome.length > 0 ? [...outcome, ...happened] : happened
}

/** The result of the exchange, for the frame of its pane. */
function exchangeAside({ step }: Entry): string {
  const { exchange } = step ?? {}
  if (exchange?.response === undefined) return ''
  const { status } = exchange.response
  return `${status}  ${bytesText(exchange.wireBytes.response)}  ${millisecondsText(exchange.ms)}`
}

const tokenNames = {
  access_token: 'Access token',
  id_token: 'ID token',
  refresh_token: 'Refresh token',
  assertion: 'Assertion',
  request_object: 'Request object',
  authorization_response: 'Response',
}

/** The token that is shown; undefined before there is one. */
export function shownToken(state: FlowState): StepToken | undefined {
  const tokens = tokensAt(state)
  return tokens[Math.min(state.token, tokens.length - 1)]
}

/** Title of the token pane. */
function tokenTitle(state: FlowState): string {
  const tokens = tokensAt(state)
  const shown = shownToken(state)
  if (shown === undefined) return '3 Token'
  const which = tokens.length > 1 ? ` ${Math.min(state.token, tokens.length - 1) + 1}/${tokens.length}` : ''
  return `3 ${tokenNames[shown.kind]}${which}`
}

/** The habits of this lab that a client elsewhere cannot copy: reading an access token, and being its audience. */
function habitLines({ kind, explained, checks }: StepToken, columns: number, signs: Signs): Line[] {
  if (kind !== 'access_token' || explained === undefined) return []
  const audience = checks.some(({ name, rule }) => name === 'aud' && rule === 'RFC 7519 §4.1.3')
  const texts = [
    'A habit of this lab: other clients do not read access tokens (RFC 9068 §6).',
    ...(audience
      ? ['Another habit: aud is the client. With --param resource=URL it is that resource (RFC 8707).']
      : []),
  ]
  return texts.flatMap(text => wrap(foreign(text, signs), columns).map(part => line(part, 'dim')))
}

/** All lines of the token pane. `rows` is how many of them can be seen at once. */
export function tokenPaneLines(
  state: FlowState,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  now: number,
  signs: Signs,
): Line[] {
  const token = shownToken(state)
  if (token !== undefined && state.body !== 'pretty') {
    return tokenParts(token, { columns, showSecrets: state.showSecrets, signs })
  }
  if (token !== undefined) {
    const shown = tokenLines(token, { columns, rows, now, showSecrets: state.showSecrets, signs })
    return [...shown, ...habitLines(token, columns, signs)]
  }
  return wrap('No token yet. The token request brings one.', columns).map(text => line(text, 'dim'))
}

/** All lines of the server pane: what was decided, or why nothing is to be seen. */
function serverPaneLines(
  state: FlowState,
  server: FlowOffers['server'],
  columns: number,
  signs: Signs,
): Line[] {
  const events = serverEventsAt(state)
  if (events.length > 0) return serverLines(events, columns, signs)
  const step = state.steps[state.selected]
  const nothing =
    'why' in server
      ? server.why
      : step === undefined
        ? 'Nothing was sent yet, so the servers decided nothing.'
        : step.exchange === undefined
          ? 'No request reached a server in this step.'
          : 'The site reported no decision about this request.'
  return wrap(foreign(nothing, signs), columns).map(text => line(text, 'dim'))
}

/** A small right-hand text of a frame. */
export function aside(...texts: readonly string[]): Line {
  const text = texts.filter(each => each !== '').join('  ')
  return text === '' ? [] : [span(text, 'dim')]
}

/** All lines of a lower pane. */
export function paneLines(
  pane: LowerPane,
  state: FlowState,
  layout: Layout,
  { now, signs, offers }: Pick<FrameContext, 'now' | 'signs' | 'offers'>,
): readonly Line[] {
  switch (pane) {
    case 'exchange':
      return exchangeLines(state, entriesOf(state)[state.selected], layout.exchange.columns, signs)
    case 'token':
      return tokenPaneLines(state, layout.beside, now, signs)
    case 'server':
      return serverPaneLines(state, offers.server, layout.beside.columns, signs)
  }
}

function titleOf(pane: LowerPane, state: FlowState): string {
  if (pane === 'exchange') return `2 Exchange ${entriesOf(state)[state.selected]?.n ?? ''}`.trimEnd()
  return pane === 'token' ? tokenTitle(state) : '4 Server'
}

/** The visible part of a pane, and the small texts of its frame. */
function seen(pane: LowerPane, state: FlowState, layout: Layout, context: FrameContext) {
  const all = paneLines(pane, state, layout, context)
  const { rows } = pane === 'exchange' ? layout.exchange : layout.beside
  const { lines: shown, aside: place } = visible(all, state.scroll[pane], rows)
  const position = plainText(place)
  const view = pane === 'server' || state.body === 'pretty' ? '' : state.body
  const { search } = state
  if (search?.pane !== pane) return { lines: shown, details: [view, position] }
  return {
    lines: shown.map(line => marked(line, search.text)),
    details: [view, hitText(search, all), position],
  }
}

/** The titles of panes that share a frame; the drawn one is in brackets. */
function tabs(which: readonly LowerPane[], drawn: LowerPane, state: FlowState, signs: Signs): Line {
  const titles = which.map(pane => titleOf(pane, state))
  return tabTitle(titles, titleOf(drawn, state), state.pane === drawn, signs)
}

/** The exchange by itself. */
export function exchangePane(state: FlowState, layout: Layout, context: FrameContext): PaneContent {
  const { lines: shown, details } = seen('exchange', state, layout, context)
  return {
    title: paneTitle(titleOf('exchange', state), state.pane === 'exchange'),
    aside: aside(...details),
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
  return { title, aside: aside(...details), lines: shown }
}

/** All lower panes under one rule: their titles, the lines of one. */
export function tabbed(state: FlowState, layout: Layout, context: FrameContext): PaneContent {
  const entry = entriesOf(state)[state.selected]
  const { lines: shown, details } = seen(state.lower, state, layout, context)
  const result = entry && layout.arrangement !== 'small' ? exchangeAside(entry) : ''
  const title = tabs(['exchange', 'token', 'server'], state.lower, state, context.signs)
  // Where the frame has no room for all, the place in the pane is what cannot be seen elsewhere.
  const room = layout.columns - lineWidth(title) - 9
  const whole = aside(result, ...details)
  // What fits is not to depend on how quick an answer was: 9 ms take the room of 123 ms.
  const reserved = aside(result.replace(/(?<![\d.])[\d.]+ ms$/, '123 ms'), ...details)
  return {
    title,
    aside: Math.max(lineWidth(whole), lineWidth(reserved)) <= room ? whole : aside(...details),
    lines: shown,
  }
}

/** The last line that may come first in the pane with the keys, so that scrolling ends with its last line. */
export function scrollLimit(state: FlowState, size: Size, context: FrameContext): number {
  if (state.pane === 'sequence') return 0
  const layout = layoutOf(state, size)
  return paneLines(state.pane, state, layout, context).length - layout.exchange.rows
}
