import type { Step, StepToken } from '../../../flows/step.js'
import { serverLines } from '../../render/events/server-lines.js'
import { stepLines } from '../../render/steps/exchange-lines.js'
import { outcomeLines } from '../../render/steps/outcome-lines.js'
import type { Entry } from '../../render/steps/sequence.js'
import { bytesText, millisecondsText } from '../../render/text/numbers.js'
import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, line, span } from '../../render/text/spans.js'
import { wrap } from '../../render/text/text.js'
import { tokenLines } from '../../render/tokens/token-lines.js'
import { tokenParts } from '../../render/tokens/token-parts.js'
import { endedAt, serverEventsAt, tokensAt } from './entries.js'
import type { FlowOffers } from './offers.js'
import type { FlowState } from './state.js'

/** A rule as people write it: plans name RFCs by their number alone. */
export function ruleText(rfc: string): string {
  return /^\d/.test(rfc) ? `RFC ${rfc}` : rfc
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
    ...prose(ruleText(rfc), 'dim'),
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
export function exchangeLines(
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
export function exchangeAside({ step }: Entry): string {
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
export function tokenTitle(state: FlowState): string {
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
export function serverPaneLines(
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

/** Title of the exchange pane. */
export function exchangeTitle(entry: Entry | undefined): string {
  return entry === undefined ? '2 Exchange' : `2 Exchange ${entry.n}`
}

/** A small right-hand text of a frame. */
export function aside(...texts: readonly string[]): Line {
  const text = texts.filter(each => each !== '').join('  ')
  return text === '' ? [] : [span(text, 'dim')]
}
