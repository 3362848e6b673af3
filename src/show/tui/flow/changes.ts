import type { LoginPrompt } from '../../../client/login.js'
import type { HeldRequest } from '../../../flows/middleware/gate.js'
import type { FlowRecord, PlannedStep, StepName } from '../../../flows/step.js'
import type { LabEvent } from '../../../protocol/events.js'
import { splitUrl } from '../../../protocol/http/message.js'
import type { BodyView } from '../../render/steps/body.js'
import { clamp } from '../screen/list.js'
import { without } from '../screen/store.js'
import { openLogin, type SuggestedUser } from './login.js'
import {
  endedAt,
  entriesOf,
  type FlowState,
  initialState,
  MOST_GROWTH,
  nextPlanned,
  type Pane,
  TOP,
  tokensAt,
} from './state.js'

/** A change by one run of the flow; results of an abandoned one are dropped. */
export const ofRun =
  (run: number, change: (state: FlowState) => FlowState) =>
  (state: FlowState): FlowState =>
    run === state.run ? change(state) : state

/** Selects an entry. */
function select(state: FlowState, selected: number): FlowState {
  const last = entriesOf(state).length - 1
  return { ...state, selected: clamp(selected, 0, Math.max(0, last)), scroll: TOP, token: 0 }
}

/** Selects the entry `by` further. */
export const selectedBy = (state: FlowState, by: number): FlowState => select(state, state.selected + by)

/** A step is under way; `quiet` when only the outcome is awaited, which moves nothing. */
export function wait(state: FlowState, quiet: boolean): FlowState {
  const started = { ...state, waiting: true }
  return quiet ? started : select(started, state.steps.length)
}

/** The flow yielded a step, or its outcome. */
export function receive(state: FlowState, record: FlowRecord): FlowState {
  // What the flow said, such as the URL to open, stands until the browser is back.
  const back = record.type === 'outcome' || record.name === 'authorization_response'
  // A device that still waits needs its code further on.
  const before = record.type === 'step' && record.repeats ? state : without(state, 'qr')
  const settled = { ...before, notices: back ? [] : state.notices, waiting: false }
  if (record.type === 'step') {
    const steps = [...state.steps, record]
    const next = select({ ...settled, steps }, steps.length - 1)
    return next.until !== undefined && nextPlanned(next)?.name === next.until ? without(next, 'until') : next
  }
  const ended = { ...without(settled, 'until'), outcome: record, runAll: false }
  return select(ended, endedAt(ended) ?? ended.selected)
}

/** The flow returned without an outcome. */
export const stopped = (state: FlowState): FlowState => ({ ...state, waiting: false, runAll: false })

/** The flow says something while it waits. */
export const say = (state: FlowState, text: string): FlowState => ({
  ...state,
  notices: [...state.notices, text],
})

/** Closes the menu and the pages for a panel that has to be answered. */
const cleared = (state: FlowState): FlowState => without(state, 'menu', 'qr', 'page')

/** The flow asks who logs in. */
export function ask(state: FlowState, prompt: LoginPrompt, suggested: SuggestedUser | undefined): FlowState {
  const login = openLogin(prompt, suggested, state.lastLogin)
  return { ...without(cleared(state), 'finding'), login }
}

/** The login was answered. A code is good once: only the name and the password are of use to a later run. */
export function answered(state: FlowState): FlowState {
  const { login, ...rest } = state
  return login === undefined || login.field === 'code' ? rest : { ...rest, lastLogin: login }
}

/** The run after the present one: with another plan where a wrong move is in it, or is no more. */
export interface NextRun {
  readonly plan: readonly PlannedStep[]
  readonly move?: string
  readonly until?: StepName
}

/** A run from the beginning, seen as the last one was. */
export function restarted(state: FlowState, next?: NextRun): FlowState {
  const { pane, lower, beside, grow, body, breaks, clockAhead, lastLogin, showSecrets, chosen } = state
  const { plan, move, until } = next ?? { plan: state.plan, move: state.move, until: undefined }
  return {
    ...initialState(plan, showSecrets),
    run: state.run + 1,
    pane,
    lower,
    beside,
    grow,
    body,
    clockAhead,
    breaks: breaks === 'always' ? 'always' : 'never',
    ...(lastLogin && { lastLogin }),
    ...(chosen && { chosen }),
    ...(move !== undefined && { move }),
    ...(until !== undefined && { until }),
  }
}

export function toPane(state: FlowState, pane: Pane): FlowState {
  if (pane === 'sequence') return { ...state, pane }
  return { ...state, pane, lower: pane, beside: pane === 'exchange' ? state.beside : pane }
}

/** Scrolls the pane with the keys, or goes through the sequence. `limit`: the last line that may come first. */
export function scrolled(state: FlowState, by: number, limit: number): FlowState {
  const { pane, scroll } = state
  if (pane === 'sequence') return selectedBy(state, by)
  return { ...state, scroll: { ...scroll, [pane]: clamp(scroll[pane] + by, 0, Math.max(0, limit)) } }
}

/** The pane with the keys, `by` lines larger. */
export function grown(state: FlowState, by: number): FlowState {
  const lines = state.grow + (state.pane === 'sequence' ? -by : by)
  return { ...state, grow: clamp(lines, -MOST_GROWTH, MOST_GROWTH) }
}

const NEXT_VIEW: Readonly<Record<BodyView, BodyView>> = { pretty: 'raw', raw: 'hex', hex: 'pretty' }

/** Shows bodies in the next view, from its beginning. */
export const nextBody = (state: FlowState): FlowState => ({
  ...state,
  body: NEXT_VIEW[state.body],
  scroll: { ...state.scroll, exchange: 0 },
})

/** Shows the next token of the entry. */
export function nextToken(state: FlowState): FlowState {
  const count = Math.max(1, tokensAt(state).length)
  return { ...state, token: (state.token + 1) % count, scroll: { ...state.scroll, token: 0 } }
}

/** A request waits to be sent. */
export function hold(state: FlowState, request: HeldRequest): FlowState {
  const breaks = state.breaks === 'once' ? 'never' : state.breaks
  return { ...cleared(state), breaks, held: { request, parts: request.parts, at: 0 } }
}

/** No answer came. */
export const unanswered = (state: FlowState, why: string): FlowState => ({ ...cleared(state), noAnswer: why })

/** The run sent the request of this id to the lab, for the step under way. */
export function sent(state: FlowState, request: number): FlowState {
  return { ...state, requests: new Map(state.requests).set(request, state.steps.length) }
}

/** Most events that are kept. A step has a few, and a flow that polls has many steps. */
const MOST_EVENTS = 5000

/**
 * Notes an event. A person's browser is another program, so its requests have no exchange here: requests that come
 * while the flow waits for the browser belong to the step under way.
 */
export function hear(state: FlowState, event: LabEvent): FlowState {
  if (state.serverEvents.length >= MOST_EVENTS) return state
  const noted = { ...state, serverEvents: [...state.serverEvents, event] }
  const { request } = event
  const byBrowser = state.waiting && state.notices.length > 0
  return byBrowser && request !== undefined && !state.requests.has(request) ? sent(noted, request) : noted
}

/**
 * Notes an event of a lab in another program, which arrives after the answer. Its request is that of the first step with the same method and path which has
 * none yet; where there is no such step, of the step under way.
 */
export function hearElsewhere(state: FlowState, event: LabEvent): FlowState {
  if (state.serverEvents.length >= MOST_EVENTS) return state
  const noted = { ...state, serverEvents: [...state.serverEvents, event] }
  const { type, request, cause, method, path } = event
  const isOwn = type === 'request.answered' && request !== undefined && cause === undefined
  if (!isOwn || state.requests.has(request)) return noted
  const target = String(path).split('?', 1)[0]
  const taken = new Set(state.requests.values())
  const at = state.steps.findIndex(({ exchange }, i) => {
    if (exchange === undefined || taken.has(i)) return false
    return exchange.request.method === method && splitUrl(exchange.request.url).path === target
  })
  return { ...noted, requests: new Map(state.requests).set(request, at < 0 ? state.steps.length : at) }
}

/** The lab's clock is set forward, by milliseconds. */
export const withClock = (state: FlowState, clockAhead: number): FlowState =>
  clockAhead === state.clockAhead ? state : { ...state, clockAhead }
