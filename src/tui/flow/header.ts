import type { Signs } from '../../render/signs.js'
import type { Line } from '../../render/spans.js'
import { foreign, span, spread } from '../../render/spans.js'
import type { Size } from '../screen/size.js'
import { arrangementOf } from '../screen/size.js'
import { entriesOf } from './entries.js'
import type { FlowState } from './state.js'

/** What a frame shows besides the state. */
export interface FrameContext {
  /** As it is typed: `flow code`. */
  readonly command: string
  readonly clientId: string
  readonly issuer: string
  readonly signs: Signs
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** What the flow is doing, or how it ended. */
function statusOf({ outcome, waiting, login }: FlowState, signs: Signs): Line {
  const gap = span('  ')
  if (outcome?.expected) return [span(`${signs.done} refused as expected`, 'done'), gap]
  if (outcome?.outcome === 'granted' && outcome.expected !== false)
    return [span(`${signs.done} granted`, 'done'), gap]
  if (outcome !== undefined) {
    const ending = outcome.outcome === 'granted' ? 'not refused' : outcome.outcome
    return [span(`${signs.refused} ${ending}`, 'refused'), gap]
  }
  if (!waiting) return []
  return [span(`${signs.now} ${login ? 'log in' : 'waiting'}`, 'now'), gap]
}

/** The first line: the flow, the client, the server, and which of the steps is looked at. */
export function header(
  state: FlowState,
  size: Size,
  { command, clientId, issuer, signs }: FrameContext,
): Line {
  const entry = entriesOf(state)[state.selected]
  const count = `${entry?.n ?? 0} of ${state.plan.length}`
  const status = statusOf(state, signs)
  const client = foreign(clientId, signs)
  if (arrangementOf(size) === 'small') {
    const left = [span(` ${command}`, 'title'), span(` ${signs.dot} ${client}`)]
    return spread(left, [...status, span(`${count} `)], size.columns, signs)
  }
  const wide = arrangementOf(size) === 'wide'
  const left = [
    span(' oauth-lab  ', 'dim'),
    span(command, 'title'),
    span(`   client ${client}`),
    span(wide ? `   ${foreign(issuer, signs)}` : '', 'dim'),
  ]
  return spread(left, [...status, span(`step ${count} `)], size.columns, signs)
}
