import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, span, spread } from '../../render/text/spans.js'
import type { Size } from '../screen/size.js'
import { arrangementOf } from '../screen/size.js'
import { entriesOf, stepsOf } from './entries.js'
import { aheadText } from './menus.js'
import type { FlowOffers } from './offers.js'
import type { FlowState } from './state.js'

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
export function header(
  state: FlowState,
  size: Size,
  { command, clientId, issuer, signs }: FrameContext,
): Line {
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
