import { filterOf } from './filter.js'
import type { Pane } from './panes.js'
import { SHOWN } from './panes.js'
import type { DashboardState } from './state.js'
import { entryAt } from './view/history.js'

/** Panes whose entries stand in the order they came in. Of the others the newest is on top. */
const oldestFirst: ReadonlySet<Pane> = new Set(['requests', 'clients', 'users', 'sites'])

/** Numbers of the entries of a pane in the order of the screen. */
export function listed({ view, filters }: Pick<DashboardState, 'view' | 'filters'>, pane: Pane): number[] {
  const { history, filterable, fieldNames } = SHOWN[pane]
  const { first, end } = history(view)
  const all = Array.from({ length: end - first }, (_, i) => (oldestFirst.has(pane) ? first + i : end - 1 - i))
  const filter = filters[pane]
  if (filter === undefined || filter === '') return all
  const fits = filterOf(filter, fieldNames)
  return all.filter(n => fits(filterable(view, n)))
}

/** Index of the entry that the keys are at. One that was dropped, or filtered out, gives way to its nearest. */
export function cursorIndex(state: DashboardState, pane: Pane, list: readonly number[]): number {
  const at = state.cursors[pane]?.at
  if (at === undefined) return pane === 'requests' ? Math.max(0, list.length - 1) : 0
  const found = oldestFirst.has(pane) ? list.findIndex(n => n >= at) : list.findIndex(n => n <= at)
  return Math.max(0, found < 0 ? list.length - 1 : found)
}

/** The entry that the keys are at; undefined in an empty pane. */
export function selectedEntry(state: DashboardState, pane = state.pane): number | undefined {
  const list = listed(state, pane)
  return list[cursorIndex(state, pane, list)]
}

/** The id of the client that the keys are at, where it registered itself; undefined for anything else. */
export function selectedRegistration(state: DashboardState): string | undefined {
  const n = state.pane === 'clients' ? selectedEntry(state) : undefined
  const client = n === undefined ? undefined : entryAt(state.view.clients, n)
  return client?.registered?.itself === 'registered' ? client.id : undefined
}

/** A run of entries that fits on the screen. */
export interface Window {
  /** Index of the first entry that is shown, and of the one after the last. */
  readonly from: number
  readonly to: number
}

/**
 * Which entries to show so that the one at `index` is seen, `row` lines from the top as far as there are entries.
 * @param heightOf lines that the entry at an index takes
 */
export function windowAround(
  count: number,
  index: number,
  { rows, row, heightOf }: { rows: number; row: number; heightOf: (index: number) => number },
): Window {
  if (count === 0) return { from: 0, to: 0 }
  let from = index
  let to = index + 1
  let used = heightOf(index)
  const above = Math.min(row, rows - used)
  let over = 0
  while (from > 0 && over + heightOf(from - 1) <= above) over += heightOf(--from)
  used += over
  while (to < count && used + heightOf(to) <= rows) used += heightOf(to++)
  while (from > 0 && used + heightOf(from - 1) <= rows) used += heightOf(--from)
  return { from, to }
}
