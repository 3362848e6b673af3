import { clamp } from '../screen/clamp.js'
import { without } from '../screen/without.js'
import type { Action } from './actions.js'
import { cursorIndex, listed } from './listing.js'
import type { Pane } from './panes.js'
import { PANES } from './panes.js'
import type { Cursor, DashboardState } from './state.js'

/** Lines that one pane may take from the other. */
const MOST_GROWTH = 20

function toPane(state: DashboardState, pane: Pane): DashboardState {
  return { ...state, pane, lower: pane === 'requests' ? state.lower : pane }
}

function withCursor(state: DashboardState, cursor: Cursor): DashboardState {
  return { ...state, cursors: { ...state.cursors, [state.pane]: cursor } }
}

/** The newest entry is followed in the lower panes too, until the keys leave it. */
function moved(state: DashboardState, by: number, rows: number): DashboardState {
  const { pane } = state
  const list = listed(state, pane)
  if (list.length === 0) return state
  const from = cursorIndex(state, pane, list)
  const to = clamp(from + by, 0, list.length - 1)
  const before = state.cursors[pane]
  const follows = pane === 'requests' && before?.at === undefined
  const row = clamp((before?.row ?? (follows ? rows - 1 : 0)) + to - from, 0, rows - 1)
  if (pane !== 'requests' && to === 0) return withCursor(state, { row: 0 })
  // Staying on the last request is following still; leaving it is not.
  if (follows && to === from) return state
  return withCursor(state, { at: list[to]!, row })
}

function follow(state: DashboardState): DashboardState {
  const { cursors } = state
  const following = cursors.requests?.at === undefined
  const list = listed(state, 'requests')
  const last = list.at(-1)
  const cursor: Cursor = following && last !== undefined ? { at: last, row: 1_000 } : { row: 0 }
  return { ...state, cursors: { ...cursors, requests: cursor } }
}

function otherEntry(state: DashboardState, by: number): DashboardState {
  const { open } = state
  if (open === undefined) return state
  const list = listed(state, open.pane)
  const here = list.indexOf(open.n)
  const n = list[clamp(here + by, 0, list.length - 1)]
  if (here < 0 || n === undefined || n === open.n) return state
  const cursor = { at: n, row: state.cursors[open.pane]?.row ?? 0 }
  return {
    ...state,
    cursors: { ...state.cursors, [open.pane]: cursor },
    open: { ...open, n, scroll: 0 },
  }
}

function openEntry(state: DashboardState): DashboardState {
  const { pane } = state
  const list = listed(state, pane)
  const n = list[cursorIndex(state, pane, list)]
  if (n === undefined) return state
  // The selected entry stays, whatever arrives.
  const row = state.cursors[pane]?.row ?? (pane === 'requests' ? 1_000 : 0)
  return { ...withCursor(state, { at: n, row }), open: { pane, n, scroll: 0 } }
}

function withFilter(state: DashboardState, text: string): DashboardState {
  const { pane, filters } = state
  return { ...state, filters: { ...filters, [pane]: text } }
}

/** One thing back: the menu, an overlay, the open entry, the filter. */
function back(state: DashboardState): DashboardState {
  if (state.menu !== undefined) return without(state, 'menu')
  if (state.overlay !== undefined) return without(state, 'overlay')
  if (state.open !== undefined) return without(state, 'open')
  return state.filters[state.pane] ? withFilter(state, '') : state
}

/** The next state of the dashboard. */
export function reduce(state: DashboardState, action: Action): DashboardState {
  switch (action.type) {
    case 'view':
      return { ...state, view: action.view }
    case 'pane':
      return toPane(state, action.pane)
    case 'nextPane':
      return toPane(state, PANES[(PANES.indexOf(state.pane) + action.by + PANES.length) % PANES.length]!)
    case 'move':
      return moved(state, action.by, action.rows)
    case 'first':
      return moved(state, Number.NEGATIVE_INFINITY, action.rows)
    case 'last':
      return state.pane === 'requests'
        ? withCursor(state, { row: 0 })
        : moved(state, Number.POSITIVE_INFINITY, action.rows)
    case 'follow':
      return follow(state)
    case 'openEntry':
      return openEntry(state)
    case 'otherEntry':
      return otherEntry(state, action.by)
    case 'scroll': {
      const { open } = state
      if (open === undefined) return state
      const scroll = clamp(open.scroll + action.by, 0, Math.max(0, action.limit))
      return { ...state, open: { ...open, scroll } }
    }
    case 'startFilter':
      return { ...state, typing: { before: state.filters[state.pane] ?? '' } }
    case 'typed':
      return withFilter(state, action.text)
    case 'endFilter': {
      const ended = without(state, 'typing')
      return action.keep ? ended : withFilter(ended, state.typing?.before ?? '')
    }
    case 'overlay':
      return { ...state, overlay: action.overlay }
    case 'menu':
      return { ...state, menu: action.at }
    case 'back':
      return back(state)
    case 'grow': {
      const by = state.pane === 'requests' ? -action.by : action.by
      return { ...state, grow: clamp(state.grow + by, -MOST_GROWTH, MOST_GROWTH) }
    }
    case 'notice':
      return action.text === '' ? without(state, 'notice') : { ...state, notice: action.text }
  }
}
