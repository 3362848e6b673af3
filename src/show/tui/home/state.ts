import type { MenuEntry } from '../../render/spoken/spoken-item.js'
import type { Notice } from '../screen/key-rows.js'
import { clamp } from '../screen/list.js'

/** Everything the menu knows; its frame is a function of this and the size. */
export interface HomeState {
  readonly entries: readonly MenuEntry[]
  /** The command line of the selected entry. */
  readonly at: string
  readonly filter: string
  /** The filter as it was, while another one is typed. */
  readonly typing?: { readonly before: string }
  readonly page?: 'help'
  /** The result of the last key, or of the last command. */
  readonly notice?: Notice
}

/** A menu that was just opened. */
export function initialState(entries: readonly MenuEntry[]): HomeState {
  return { entries, at: entries[0]?.line ?? '', filter: '' }
}

/** The entries that fit the filter: each of its words somewhere in name, explanation or command line. */
export function listed({ entries, filter }: HomeState): readonly MenuEntry[] {
  const words = filter.toLowerCase().split(/\s+/)
  return entries.filter(({ name, about, line, group }) => {
    const text = `${group} ${name} ${about} ${line}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** The index of the selected entry in the list; 0 when it is not listed. */
export function selectedIndex(state: HomeState): number {
  const index = listed(state).findIndex(({ line }) => line === state.at)
  return Math.max(0, index)
}

/** The entry that enter would run. */
export function selectedEntry(state: HomeState): MenuEntry | undefined {
  return listed(state)[selectedIndex(state)]
}

/** Goes `by` entries further. */
export function moved(state: HomeState, by: number): HomeState {
  const list = listed(state)
  const to = clamp(selectedIndex(state) + by, 0, list.length - 1)
  return { ...state, at: list[to]?.line ?? state.at }
}

export const filtered = (state: HomeState, filter: string): HomeState => ({ ...state, filter })
