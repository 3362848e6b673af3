import type { CaseSetting } from '../../../servers/compression/studies/cases.js'
import { type CaseResult, caseKey } from '../../render/compression/case-lines.js'
import type { Front } from '../screen/key-rows.js'
import { clamp } from '../screen/list.js'

/** The panes of the compression lab, in the order of their numbers. */
export const PANES = ['hops', 'why'] as const

export type Pane = (typeof PANES)[number]

/** Everything the compression lab knows; its frame is a function of this and the size. */
export interface CompressState extends Front {
  /** As the keys have changed them. */
  readonly cases: readonly CaseSetting[]
  readonly selected: number
  readonly path: string
  /** The result of each requested case, by `caseKey`. */
  readonly results: Readonly<Record<string, CaseResult>>
  readonly pane: Pane
  /** The first line of the why pane. */
  readonly scroll: number
  readonly page?: 'help'
}

/** The lab before anything was measured. */
export function initialState(cases: readonly CaseSetting[], path: string): CompressState {
  return { cases, selected: 0, path, results: {}, pane: 'hops', scroll: 0 }
}

/** The case that the keys are at. */
export function selectedCase({ cases, selected }: CompressState): CaseSetting {
  return cases[selected]!
}

/** The result of a case. */
export function resultOf({ results, path }: CompressState, setting: CaseSetting): CaseResult {
  return results[caseKey(setting, path)] ?? { state: 'measuring' }
}

/** Selects the case `by` further. */
export function selectedBy(state: CompressState, by: number): CompressState {
  const selected = clamp(state.selected + by, 0, state.cases.length - 1)
  return selected === state.selected ? state : { ...state, selected, scroll: 0 }
}

/** The selected case, changed. */
export function withCase(state: CompressState, setting: CaseSetting): CompressState {
  return { ...state, cases: state.cases.with(state.selected, setting), scroll: 0 }
}
