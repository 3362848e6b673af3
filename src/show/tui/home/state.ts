import { without } from '../screen/without.js'
import type { HomeEntry } from './entry.js'

/** Everything the menu knows; its frame is a function of this and the size. */
export interface HomeState {
  readonly entries: readonly HomeEntry[]
  /** The command line of the selected entry. */
  readonly at: string
  readonly filter: string
  /** The filter as it was, while another one is typed. */
  readonly typing?: { readonly before: string }
  readonly help: boolean
  /** The result of the last key, or of the last command; the next key removes it. */
  readonly notice?: string
}

/** The actions that change the menu. */
export type Action =
  | { readonly type: 'move'; readonly by: number }
  | { readonly type: 'startFilter' }
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'endFilter'; readonly keep: boolean }
  | { readonly type: 'help' }
  /** One thing back: the help, the filter. */
  | { readonly type: 'back' }
  | { readonly type: 'notice'; readonly text: string }

/** A menu that was just opened. */
export function initialState(entries: readonly HomeEntry[]): HomeState {
  return { entries, at: entries[0]?.line ?? '', filter: '', help: false }
}

/** The entries that fit the filter: each of its words somewhere in name, explanation or command line. */
export function listed({ entries, filter }: HomeState): readonly HomeEntry[] {
  const words = filter.toLowerCase().split(/\s+/)
  return entries.filter(({ name, about, line, group }) => {
    const text = `${group} ${name} ${about} ${line}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** The index of the selected entry in the list; 0 when it is not listed. */
export function selectedIndex(state: HomeState): number {
  const list = listed(state)
  return Math.max(
    0,
    list.findIndex(({ line }) => line === state.at),
  )
}

/** The entry that enter would run. */
export function selectedEntry(state: HomeState): HomeEntry | undefined {
  return listed(state)[selectedIndex(state)]
}

function moved(state: HomeState, by: number): HomeState {
  const list = listed(state)
  const to = Math.max(0, Math.min(list.length - 1, selectedIndex(state) + by))
  return { ...state, at: list[to]?.line ?? state.at }
}

/** The next state of the menu. */
export function reduce(state: HomeState, action: Action): HomeState {
  switch (action.type) {
    case 'move':
      return moved(state, action.by)
    case 'startFilter':
      return { ...state, typing: { before: state.filter } }
    case 'typed':
      return { ...state, filter: action.text }
    case 'endFilter':
      return {
        ...without(state, 'typing'),
        filter: action.keep ? state.filter : (state.typing?.before ?? ''),
      }
    case 'help':
      return { ...state, help: !state.help }
    case 'back':
      return state.help ? { ...state, help: false } : { ...state, filter: '' }
    case 'notice':
      return action.text === '' ? without(state, 'notice') : { ...state, notice: action.text }
  }
}
