import type { CaseSetting } from '../../../servers/compression/studies/cases.js'
import { type CaseResult, caseKey } from '../../render/compression/case.js'
import { clamp } from '../screen/clamp.js'
import { without } from '../screen/without.js'

export type Pane = 'hops' | 'why'

/** Everything the compression lab knows; its frame is a function of this and the size. */
export interface CompressState {
  /** As the keys have changed them. */
  readonly cases: readonly CaseSetting[]
  readonly selected: number
  readonly path: string
  /** The result of each requested case, by `caseKey`. */
  readonly results: Readonly<Record<string, CaseResult>>
  readonly pane: Pane
  /** The first line of the why pane. */
  readonly scroll: number
  readonly help: boolean
  /** The export menu: which item enter would choose. */
  readonly menu?: number
  /** The result of the last key; the next key removes it. */
  readonly notice?: string
}

/** The actions that change it. */
export type Action =
  | { readonly type: 'select'; readonly by: number }
  | { readonly type: 'path'; readonly path: string }
  /** The selected case, changed. */
  | { readonly type: 'change'; readonly setting: CaseSetting }
  | { readonly type: 'reset'; readonly cases: readonly CaseSetting[]; readonly path: string }
  | { readonly type: 'result'; readonly key: string; readonly result: CaseResult }
  | { readonly type: 'pane'; readonly pane: Pane }
  /** `limit`: the last line that may come first. */
  | { readonly type: 'scroll'; readonly by: number; readonly limit: number }
  | { readonly type: 'menu'; readonly at: number }
  | { readonly type: 'help' }
  /** One thing back: the menu, the help. */
  | { readonly type: 'back' }
  | { readonly type: 'notice'; readonly text: string }

/** The lab before anything was measured. */
export function initialState(cases: readonly CaseSetting[], path: string): CompressState {
  return { cases, selected: 0, path, results: {}, pane: 'hops', scroll: 0, help: false }
}

/** The case that the keys are at. */
export function selectedCase({ cases, selected }: CompressState): CaseSetting {
  return cases[selected]!
}

/** The result of a case. */
export function resultOf({ results, path }: CompressState, setting: CaseSetting): CaseResult {
  return results[caseKey(setting, path)] ?? { state: 'measuring' }
}

/** The next state. */
export function reduce(state: CompressState, action: Action): CompressState {
  switch (action.type) {
    case 'select': {
      const selected = clamp(state.selected + action.by, 0, state.cases.length - 1)
      return selected === state.selected ? state : { ...state, selected, scroll: 0 }
    }
    case 'path':
      return { ...state, path: action.path, scroll: 0 }
    case 'change': {
      const cases = state.cases.map((each, i) => (i === state.selected ? action.setting : each))
      return { ...state, cases, scroll: 0 }
    }
    case 'reset':
      return { ...state, cases: action.cases, path: action.path, results: {}, scroll: 0 }
    case 'result':
      return { ...state, results: { ...state.results, [action.key]: action.result } }
    case 'pane':
      return { ...state, pane: action.pane }
    case 'scroll':
      return { ...state, scroll: clamp(state.scroll + action.by, 0, Math.max(0, action.limit)) }
    case 'menu':
      return { ...state, menu: action.at }
    case 'help':
      return { ...state, help: !state.help }
    case 'back':
      return state.menu === undefined ? { ...state, help: false } : without(state, 'menu')
    case 'notice':
      return action.text === '' ? without(state, 'notice') : { ...state, notice: action.text }
  }
}
