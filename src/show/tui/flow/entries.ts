import type { PlannedStep, Step, StepToken } from '../../../flows/step.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { Check } from '../../../protocol/oauth/check.js'
import type { Entry, EntryStatus } from '../../render/steps/sequence.js'
import { placeOf } from '../../render/steps/step-place.js'
import type { FlowState } from './state.js'

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

function tokensOf({ token, tokens = [] }: Step): readonly StepToken[] {
  return token ? [token, ...tokens] : tokens
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
