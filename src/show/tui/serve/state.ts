import type { Front } from '../screen/key-rows.js'
import {
  type Cursor,
  clamp,
  filterOf,
  type List,
  movedCursor,
  pinned,
  RESTING,
  selectedNumber,
} from '../screen/list.js'
import { without } from '../screen/store.js'
import { type LowerPane, type Pane, SHOWN } from './entries.js'
import { entryAt } from './view/history.js'
import type { AnsweredRequest, LabView } from './view/lab-view.js'

/** Everything the dashboard knows; its frame is a function of this, the size and the clock. */
export interface DashboardState extends Front {
  readonly view: LabView
  readonly pane: Pane
  /** Which lower pane is drawn where there is room for one. */
  readonly lower: LowerPane
  readonly cursors: Readonly<Partial<Record<Pane, Cursor>>>
  readonly filters: Readonly<Partial<Record<Pane, string>>>
  /** The filter as it was, while another one is typed. */
  readonly typing?: { readonly before: string }
  /** The entry that is open. */
  readonly open?: { readonly pane: Pane; readonly n: number; readonly scroll: number }
  /** The page over all panes: the keys, or the lab. */
  readonly page?: 'help' | 'info'
  /** Lines that the lower panes took from the requests. */
  readonly grow: number
}

/** The dashboard of a lab that was just started. */
export function initialState(view: LabView): DashboardState {
  return { view, pane: 'requests', lower: 'codes', cursors: {}, filters: {}, grow: 0 }
}

/** Panes whose entries stand in the order they came in. Of the others the newest is on top. */
const oldestFirst: ReadonlySet<Pane> = new Set(['requests', 'clients', 'users', 'sites'])

/** The entries of a pane. The newest request is followed, until the keys leave it. */
export function listed({ view, filters }: DashboardState, pane: Pane): List {
  const { history, at, fieldNames } = SHOWN[pane]
  const { first, end } = history(view)
  const all = Array.from({ length: end - first }, (_, i) => (oldestFirst.has(pane) ? first + i : end - 1 - i))
  const rest = pane === 'requests' ? 'last' : 'first'
  const filter = filters[pane]
  if (!filter) return { numbers: all, rest }
  const fits = filterOf(filter, fieldNames)
  const numbers = all.filter(n => {
    const values = at(view, n)?.fields() ?? []
    const fields = Object.fromEntries([...fieldNames].map((name, i) => [name, values[i]]))
    return fits({ fields, text: values.join(' ') })
  })
  return { numbers, rest }
}

/** The position of the keys in a pane. */
export const cursorOf = ({ cursors }: DashboardState, pane: Pane): Cursor => cursors[pane] ?? RESTING

/** The number of the entry that the keys are at; undefined in an empty pane. */
export function selectedEntry(state: DashboardState, pane = state.pane): number | undefined {
  return selectedNumber(listed(state, pane), cursorOf(state, pane))
}

/** The request that the keys are at. */
export function selectedRequest(state: DashboardState): AnsweredRequest | undefined {
  const n = state.pane === 'requests' ? selectedEntry(state) : undefined
  return n === undefined ? undefined : entryAt(state.view.requests, n)
}

/** The id of the client that the keys are at, where it registered itself; undefined for anything else. */
export function selectedRegistration(state: DashboardState): string | undefined {
  const n = state.pane === 'clients' ? selectedEntry(state) : undefined
  const client = n === undefined ? undefined : entryAt(state.view.clients, n)
  return client?.registered?.itself === 'registered' ? client.id : undefined
}

export function toPane(state: DashboardState, pane: Pane): DashboardState {
  return { ...state, pane, lower: pane === 'requests' ? state.lower : pane }
}

const withCursor = (state: DashboardState, pane: Pane, cursor: Cursor): DashboardState => ({
  ...state,
  cursors: { ...state.cursors, [pane]: cursor },
})

/** Goes `by` entries further. `rows`: entries that the pane shows at once. */
export function moved(state: DashboardState, by: number, rows: number): DashboardState {
  const { pane } = state
  return withCursor(state, pane, movedCursor(listed(state, pane), cursorOf(state, pane), by, rows))
}

/** Follows the newest request. */
export const follow = (state: DashboardState): DashboardState => withCursor(state, 'requests', RESTING)

/** Stays at the selected request where the newest is followed; else follows the newest. */
export function toggleFollow(state: DashboardState): DashboardState {
  const cursor = cursorOf(state, 'requests')
  if (cursor.at !== undefined) return follow(state)
  return withCursor(state, 'requests', pinned(listed(state, 'requests'), cursor))
}

/** Opens the selected entry, which stays selected, whatever comes. */
export function openEntry(state: DashboardState): DashboardState {
  const { pane } = state
  const cursor = pinned(listed(state, pane), cursorOf(state, pane))
  const n = selectedEntry(state)
  return n === undefined ? state : { ...withCursor(state, pane, cursor), open: { pane, n, scroll: 0 } }
}

/** Opens the entry before or after the open one. */
export function otherEntry(state: DashboardState, by: number): DashboardState {
  const { open } = state
  if (open === undefined) return state
  const { numbers } = listed(state, open.pane)
  const here = numbers.indexOf(open.n)
  const n = numbers[clamp(here + by, 0, numbers.length - 1)]
  if (here < 0 || n === undefined || n === open.n) return state
  const cursor = { at: n, row: cursorOf(state, open.pane).row }
  return { ...withCursor(state, open.pane, cursor), open: { ...open, n, scroll: 0 } }
}

/** Scrolls the open entry. `limit`: the last line that may come first. */
export function scrolled(state: DashboardState, by: number, limit: number): DashboardState {
  const { open } = state
  if (open === undefined) return state
  return { ...state, open: { ...open, scroll: clamp(open.scroll + by, 0, Math.max(0, limit)) } }
}

export function filtered(state: DashboardState, text: string): DashboardState {
  return { ...state, filters: { ...state.filters, [state.pane]: text } }
}

/** Lines that one pane may take from the other. */
const MOST_GROWTH = 20

/** The pane with the keys, `by` lines larger. */
export function grown(state: DashboardState, by: number): DashboardState {
  const lines = state.grow + (state.pane === 'requests' ? -by : by)
  return { ...state, grow: clamp(lines, -MOST_GROWTH, MOST_GROWTH) }
}

/** One thing back: the open entry, the filter. */
export function back(state: DashboardState): DashboardState {
  if (state.open !== undefined) return without(state, 'open')
  return state.filters[state.pane] ? filtered(state, '') : state
}
