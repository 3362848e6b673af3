import type { Step } from '../../../flows/step.js'
import type { AttackData, AttackOutcome, AttackRecord } from '../../../judge/attacks/model.js'
import type { WeakName } from '../../../protocol/rules/weak-modes.js'
import { clamp } from '../screen/list.js'
import { without } from '../screen/store.js'

/** A lab of the screen: with the weak modes, or with every defence. */
export type Side = 'weak' | 'strict'

export const SIDES: readonly Side[] = ['weak', 'strict']

/** A run of the attack at one lab, as far as it came. */
export interface Run {
  readonly steps: readonly Step[]
  readonly outcome?: AttackOutcome
}

/** The state of the screen; its frame is a function of this and the size. */
export interface AttackState {
  readonly attack: AttackData
  /** The weak modes of the weak lab. */
  readonly weak: readonly WeakName[]
  /** Hosts of running labs, for the sides that have one. */
  readonly places: Readonly<Partial<Record<Side, string>>>
  readonly runs: Readonly<Record<Side, Run>>
  /** The lab that keys act on. */
  readonly side: Side
  /** Index of the selected step; absent: the latest. */
  readonly at?: number
  /** True while a step is under way. */
  readonly busy: boolean
  readonly page?: 'help'
}

const EMPTY: Run = { steps: [] }

/** The screen before the first step. */
export function initialState(
  attack: AttackData,
  weak: readonly WeakName[],
  side: Side,
  places: AttackState['places'] = {},
): AttackState {
  return { attack, weak, places, runs: { weak: EMPTY, strict: EMPTY }, side, busy: false }
}

/** Index of the selected step of a run; -1 before the first step. */
export function selectedIndex({ at, runs, side }: AttackState): number {
  const last = runs[side].steps.length - 1
  return at === undefined ? last : Math.min(at, last)
}

/** The part of a step in which two runs are compared: secrets and times differ in any two. */
const shape = ({ name, exchange }: Step): string => `${name} ${exchange?.response?.status ?? ''}`

/** Index of the first step in which the finished runs differ; undefined while one of them has not ended, or failed. */
export function firstDifference({ weak, strict }: AttackState['runs']): number | undefined {
  const decided = ({ outcome }: Run) => outcome !== undefined && outcome.outcome !== 'failed'
  if (!decided(weak) || !decided(strict)) return undefined
  const most = Math.max(weak.steps.length, strict.steps.length)
  for (let i = 0; i < most; i++) {
    const [a, b] = [weak.steps[i], strict.steps[i]]
    if (!a || !b || shape(a) !== shape(b)) return i
  }
  return undefined
}

/** A run begins, at the lab of a side. */
export function started(state: AttackState, side: Side): AttackState {
  return { ...without(state, 'at'), side, runs: { ...state.runs, [side]: EMPTY } }
}

/** A run yielded a record. */
export function recorded(state: AttackState, side: Side, record: AttackRecord): AttackState {
  const run = state.runs[side]
  const next =
    record.type === 'step' ? { ...run, steps: [...run.steps, record] } : { ...run, outcome: record }
  return { ...state, runs: { ...state.runs, [side]: next } }
}

/** Selects the step `by` further. */
export function moved(state: AttackState, by: number): AttackState {
  const last = state.runs[state.side].steps.length - 1
  return { ...state, at: clamp(selectedIndex(state) + by, 0, last) }
}
