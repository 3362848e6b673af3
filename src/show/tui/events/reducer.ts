import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import { clamp } from '../screen/clamp.js'
import { without } from '../screen/without.js'
import type { Action } from './actions.js'
import { cursorIndex, listed } from './listed.js'
import type { EventsState, Pane } from './state.js'
import { PANES } from './state.js'

/** More events are not kept; the oldest go. */
const MOST = 10_000

const unscrolled = { event: 0, attachment: 0 } as const

function came(state: EventsState, fresh: readonly ListedEvent[]): EventsState {
  const all = [...state.events, ...fresh]
  const events = all.slice(-MOST)
  const next = { ...state, events, first: state.first + all.length - events.length }
  // What follows shows another event now, from its beginning.
  return state.cursor.at === undefined && fresh.length > 0 ? { ...next, scrolls: unscrolled } : next
}

function toPane(state: EventsState, pane: Pane): EventsState {
  return { ...state, pane, lower: pane === 'event' || pane === 'attachment' ? pane : state.lower }
}

function moved(state: EventsState, by: number, rows: number): EventsState {
  const list = listed(state)
  if (list.numbers.length === 0) return state
  const from = cursorIndex(state, list)
  const to = clamp(from + by, 0, list.numbers.length - 1)
  const follows = state.cursor.at === undefined
  // Staying on the newest is following still.
  if (to === from && follows) return state
  const row = clamp((follows ? rows - 1 : state.cursor.row) + to - from, 0, Math.max(0, rows - 1))
  const opened = state.open === undefined ? {} : { open: { scroll: 0 } }
  return { ...state, ...opened, cursor: { at: list.numbers[to]!, row }, scrolls: unscrolled }
}

function follow(state: EventsState): EventsState {
  const list = listed(state)
  const at = list.numbers.at(-1)
  if (state.cursor.at !== undefined || at === undefined) {
    return { ...state, cursor: { row: 1_000 }, scrolls: unscrolled }
  }
  return { ...state, cursor: { at, row: 1_000 } }
}

function scrolled(state: EventsState, by: number, limit: number): EventsState {
  const to = (from: number) => clamp(from + by, 0, Math.max(0, limit))
  if (state.open !== undefined) return { ...state, open: { scroll: to(state.open.scroll) } }
  const { pane, scrolls } = state
  if (pane !== 'event' && pane !== 'attachment') return state
  return { ...state, scrolls: { ...scrolls, [pane]: to(scrolls[pane]) } }
}

function open(state: EventsState): EventsState {
  const list = listed(state)
  const at = list.numbers[cursorIndex(state, list)]
  if (at === undefined) return state
  // The selected event stays, whatever arrives.
  return { ...state, cursor: { at, row: state.cursor.row }, open: { scroll: 0 } }
}

/** One thing back: the menu, the help, the open event, the filter. */
function back(state: EventsState): EventsState {
  if (state.menu !== undefined) return without(state, 'menu')
  if (state.help) return without(state, 'help')
  if (state.open !== undefined) return without(state, 'open')
  return state.filter === '' ? state : { ...state, filter: '' }
}

/** The next state of the events screen. */
export function reduce(state: EventsState, action: Action): EventsState {
  switch (action.type) {
    case 'came':
      return came(state, action.events)
    case 'trouble': {
      const rest = { ...without(state, 'trouble'), ended: state.ended || action.ended }
      return action.text === undefined ? rest : { ...rest, trouble: action.text }
    }
    case 'pane':
      return toPane(state, action.pane)
    case 'nextPane':
      return toPane(state, PANES[(PANES.indexOf(state.pane) + action.by + PANES.length) % PANES.length]!)
    case 'move':
      return moved(state, action.by, action.rows)
    case 'follow':
      return follow(state)
    case 'field': {
      const field = (state.count.field + action.by + action.fields) % action.fields
      return { ...state, count: { field, row: 0 } }
    }
    case 'value': {
      const row = clamp(state.count.row + action.by, 0, Math.max(0, action.rows - 1))
      return { ...state, count: { ...state.count, row } }
    }
    case 'scroll':
      return scrolled(state, action.by, action.limit)
    case 'open':
      return open(state)
    case 'filter':
      return { ...state, filter: action.text }
    case 'startFilter':
      return { ...state, typing: { before: state.filter } }
    case 'endFilter': {
      const ended = without(state, 'typing')
      return action.keep ? ended : { ...ended, filter: state.typing?.before ?? '' }
    }
    case 'help':
      return state.help ? without(state, 'help') : { ...state, help: true }
    case 'menu':
      return { ...state, menu: action.at }
    case 'back':
      return back(state)
    case 'notice':
      return action.text === '' ? without(state, 'notice') : { ...state, notice: action.text }
  }
}
