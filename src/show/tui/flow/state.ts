import type { Outcome, PlannedStep, Step, StepName, StepToken } from '../../../flows/step.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { Check } from '../../../protocol/oauth/check.js'
import type { ShownWeak } from '../../../protocol/rules/weak-modes.js'
import type { BodyView } from '../../render/steps/body.js'
import { type Entry, type EntryStatus, placeOf } from '../../render/steps/sequence.js'
import type { QrCode } from '../../render/text/qr.js'
import { tokensOf } from '../../render/tokens/token-lines.js'
import type { Picking } from '../screen/list.js'
import type { Searching } from '../screen/search.js'
import type { Held } from './held.js'
import type { LoginForm } from './login.js'

/** The panes of the flow screen, in the order of their numbers. */
export const PANES = ['sequence', 'exchange', 'token', 'server'] as const

export type Pane = (typeof PANES)[number]

/** The panes below the sequence. */
export type LowerPane = Exclude<Pane, 'sequence'>

/** The menus that are drawn over the panes. */
export type MenuName = 'export' | 'tamper' | 'time'

/** The address that a person opens on another device, and its code for a camera. */
export interface ShownCode {
  readonly url: string
  /** The user code and the address to type it at, as the server sent them. */
  readonly note: string
  /** Undefined for an address that is too long for a QR code. */
  readonly code: QrCode | undefined
}

/** Everything the flow screen knows; its frame is a function of this, the size and the clock. */
export interface FlowState extends Searching<Pane> {
  readonly plan: readonly PlannedStep[]
  /** The finished steps, in order. */
  readonly steps: readonly Step[]
  readonly outcome?: Outcome
  /** A step is under way; no other may start. */
  readonly waiting: boolean
  /** Steps follow one another without Enter. */
  readonly runAll: boolean
  /** Which run of the flow this is; what comes from an earlier one is ignored. */
  readonly run: number
  /** Index of the selected entry. */
  readonly selected: number
  readonly pane: Pane
  /** Which of the lower panes is drawn where there is room for one. */
  readonly lower: LowerPane
  /** Which pane is drawn beside the exchange; `auto`: the token where the step brought one, else the server. */
  readonly beside: 'auto' | 'token' | 'server'
  /** First line shown, by pane. */
  readonly scroll: Readonly<Record<LowerPane, number>>
  /** Lines that the lower panes took from the sequence, or gave to it when negative. */
  readonly grow: number
  readonly body: BodyView
  readonly showSecrets: boolean
  /** The weak modes of the lab; empty for a strict lab and for any other server. */
  readonly weak: readonly ShownWeak[]
  /** True for a recording: nothing can be changed, sent or written. */
  readonly shownOnly?: boolean
  /** Lists the headers of the transport beside those of the message. */
  readonly allHeaders: boolean
  /** Which of the tokens of an entry is shown. */
  readonly token: number
  readonly page?: 'help'
  /** The code for a camera, while it is drawn over everything. */
  readonly qr?: ShownCode
  readonly menu?: Picking & { readonly name: MenuName }
  /** The request that waits to be sent. */
  readonly held?: Held
  /** Why no answer came, while it is asked whether to send the request again. */
  readonly noAnswer?: string
  /** Breakpoints: holds no request, the next one, or each one. */
  readonly breaks: 'never' | 'once' | 'always'
  /** The wrong move of this run. */
  readonly move?: string
  /** Steps follow one another without Enter until this one is next. */
  readonly until?: StepName
  /** The events of the lab's servers, also those of requests that others sent. */
  readonly serverEvents: readonly LabEvent[]
  /** Index of the step that each request belongs to, by the id of the request. */
  readonly requests: ReadonlyMap<number, number>
  /** How far the lab's clock was set forward, in milliseconds. */
  readonly clockAhead: number
  readonly login?: LoginForm
  /** The panel as it was sent last, for the next try. */
  readonly lastLogin?: LoginForm
  /** The messages of the flow while it waits, such as the URL to open; oldest first. */
  readonly notices: readonly string[]
}

/** Lines that one pane may take from the other. */
export const MOST_GROWTH = 20

/** Every pane at its first line. */
export const TOP: FlowState['scroll'] = { exchange: 0, token: 0, server: 0 }

/** The screen before anything happened. */
export function initialState(
  plan: readonly PlannedStep[],
  showSecrets: boolean,
  weak: readonly ShownWeak[] = [],
): FlowState {
  return {
    plan,
    steps: [],
    waiting: false,
    runAll: false,
    run: 1,
    selected: 0,
    pane: 'exchange',
    lower: 'exchange',
    beside: 'auto',
    scroll: TOP,
    grow: 0,
    body: 'pretty',
    showSecrets,
    weak,
    allHeaders: false,
    token: 0,
    breaks: 'never',
    serverEvents: [],
    requests: new Map(),
    clockAhead: 0,
    notices: [],
  }
}

/** True when a check failed; undefined when none was made. */
function failed(checks: readonly Check[] | undefined): boolean | undefined {
  return checks?.some(({ ok, advice }) => !ok && !advice)
}

/** True for a step with an unwanted refusal; a wanted refusal is a good check. */
export function isBad({ checks = [], token, tokens = [], exchange }: Step): boolean {
  if ([token, ...tokens].some(each => failed(each?.checks))) return true
  return checks.length > 0 ? (failed(checks) ?? false) : (exchange?.response?.status ?? 0) >= 400
}

/** The steps of the plan that did not happen yet. */
function stillPlanned({ plan, steps }: FlowState): readonly PlannedStep[] {
  const last = steps.at(-1)
  if (last === undefined) return plan
  return plan.slice(last.repeats ? placeOf(last, plan) : placeOf(last, plan) + 1)
}

/** The number of steps, without those that the flow left out. */
export function stepsOf({ plan, steps }: FlowState): number {
  return steps.at(-1)?.of ?? plan.length
}

/** The step that comes next; undefined after the last one. */
export function nextPlanned(state: FlowState): PlannedStep | undefined {
  return stillPlanned(state)[0]
}

/** Which entry the outcome is about: the last that happened, or the one that did not get that far. */
function outcomeEntry({ outcome, steps }: FlowState, planned: number): number {
  const last = steps.at(-1)
  if (outcome?.outcome === 'granted' || planned === 0) return steps.length - 1
  const there = last !== undefined && isBad(last) && !last.repeats
  return there ? steps.length - 1 : steps.length
}

/** A frame and a key ask many times for the entries of the same state. */
const made = new WeakMap<FlowState, readonly Entry[]>()

/** All steps of the flow as the screen lists them: what happened, then what is planned. */
export function entriesOf(state: FlowState): readonly Entry[] {
  const known = made.get(state) ?? makeEntries(state)
  made.set(state, known)
  return known
}

function makeEntries(state: FlowState): Entry[] {
  const { steps, outcome, selected } = state
  const planned = stillPlanned(state)
  const ended =
    outcome === undefined || outcome.outcome === 'granted' ? -1 : outcomeEntry(state, planned.length)
  const status = (i: number, happened: boolean): EntryStatus => {
    if (i === ended) return 'refused'
    if (i === selected) return 'now'
    return happened ? 'done' : 'next'
  }
  return [
    ...steps.map((step, i) => ({ n: step.n, planned: step, step, status: status(i, true) })),
    ...planned.map((step, i) => ({
      n: stepsOf(state) - planned.length + i + 1,
      planned: step,
      status: status(steps.length + i, false),
    })),
  ]
}

/** Index of the entry that the outcome is about; undefined before the end. */
export function endedAt(state: FlowState): number | undefined {
  if (state.outcome === undefined) return undefined
  return Math.max(0, outcomeEntry(state, stillPlanned(state).length))
}

/** The tokens to show at an entry: its own, or else those of the last entry before it that has any. */
export function tokensAt({ steps, selected }: FlowState): readonly StepToken[] {
  for (let i = Math.min(selected, steps.length - 1); i >= 0; i--) {
    const tokens = tokensOf(steps[i]!)
    if (tokens.length > 0) return tokens
  }
  return []
}

/**
 * The events of the requests of the selected step, and of the requests that those caused. At the end of the flow, the
 * last step also has the requests after it.
 */
export function serverEventsAt(state: FlowState): readonly LabEvent[] {
  const { steps, selected, serverEvents, requests, outcome } = state
  const last = selected === steps.length - 1 && outcome !== undefined
  const isOwn = (request: number | undefined): boolean => {
    const at = request === undefined ? undefined : requests.get(request)
    return at === selected || (last && at !== undefined && at > selected)
  }
  return serverEvents.filter(({ request, cause }) => isOwn(request) || isOwn(cause))
}

/** Which pane is drawn beside the exchange where there is room for two. */
export function besideOf(state: FlowState): 'token' | 'server' {
  const { beside, steps, selected } = state
  if (beside !== 'auto') return beside
  const step = steps[selected]
  const brought = step !== undefined && tokensOf(step).length > 0
  return brought || serverEventsAt(state).length === 0 ? 'token' : 'server'
}
