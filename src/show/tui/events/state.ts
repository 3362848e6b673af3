import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Front } from '../screen/key-rows.js'
import {
  type Cursor,
  clamp,
  cursorIndex,
  filterOf,
  type List,
  movedCursor,
  pinned,
  RESTING,
} from '../screen/list.js'
import { without } from '../screen/store.js'

/** The panes of the events screen, in the order of their numbers. */
export const PANES = ['counts', 'events', 'event', 'attachment'] as const

export type Pane = (typeof PANES)[number]

/** Panes that share one room where there is little of it. */
export type LowerPane = 'event' | 'attachment'

/** Everything the screen knows; its frame is a function of this, the size and the clock. */
export interface EventsState extends Front {
  /** Oldest first. */
  readonly events: readonly ListedEvent[]
  /** Number of the first of them: older ones were let go of. */
  readonly first: number
  /** Why there is nothing new, in a sentence. */
  readonly trouble?: string
  /** True when nothing more will come. */
  readonly ended: boolean
  readonly pane: Pane
  /** Which lower pane is drawn where there is room for one. */
  readonly lower: LowerPane
  readonly cursor: Cursor
  /** Field and value that the keys are at in the counts. */
  readonly count: { readonly field: number; readonly row: number }
  /** First lines of the lower panes. */
  readonly scrolls: Readonly<Record<LowerPane, number>>
  readonly filter: string
  /** The filter as it was, while another one is typed. */
  readonly typing?: { readonly before: string }
  /** Set while the event takes all the room: its first visible line. */
  readonly open?: { readonly scroll: number }
  readonly page?: 'help'
}

const unscrolled = { event: 0, attachment: 0 } as const

/** The screen with the events that there are. */
export function initialState(events: readonly ListedEvent[]): EventsState {
  return {
    events,
    first: 0,
    ended: false,
    pane: 'events',
    lower: 'event',
    cursor: RESTING,
    count: { field: 0, row: 0 },
    scrolls: unscrolled,
    filter: '',
  }
}

/** Fields that a filter can name; `ip:203.0.113.`, `action:drop`. */
const FIELDS = [
  'action',
  'source',
  'country',
  'ip',
  'ip_class',
  'host',
  'uri',
  'ua',
  'colo',
  'kind',
  'method',
  'rule_id',
  'ray_id',
] as const

const names: ReadonlySet<string> = new Set(FIELDS)

/** Events that a filter lets through, oldest first. */
export interface Listed extends List {
  readonly events: readonly ListedEvent[]
}

function found({ events, first, filter }: EventsState): Listed {
  if (filter === '') return { rest: 'last', events, numbers: events.map((_, i) => first + i) }
  const fits = filterOf(filter, names)
  const numbers = events.flatMap((event, i) => {
    const fields = Object.fromEntries(FIELDS.map(field => [field, event[field]]))
    return fits({ fields, text: Object.values(fields).join(' ') }) ? [first + i] : []
  })
  return { rest: 'last', events: numbers.map(number => events[number - first]!), numbers }
}

let last: { readonly of: EventsState; readonly listed: Listed } | undefined

/** The listed events. The result for the same events and filter is kept. */
export function listed(state: EventsState): Listed {
  if (last?.of.events === state.events && last.of.filter === state.filter) return last.listed
  last = { of: state, listed: found(state) }
  return last.listed
}

/** The event that the keys are at; undefined where none is listed. */
export function selected(state: EventsState): ListedEvent | undefined {
  const list = listed(state)
  return list.events[cursorIndex(list, state.cursor)]
}

/** More events are not kept; the oldest go. */
const MOST = 10_000

/** New events arrived, oldest first. */
export function came(state: EventsState, fresh: readonly ListedEvent[]): EventsState {
  const all = [...state.events, ...fresh]
  const events = all.slice(-MOST)
  const next = { ...state, events, first: state.first + all.length - events.length }
  // What follows shows another event now, from its beginning.
  return state.cursor.at === undefined && fresh.length > 0 ? { ...next, scrolls: unscrolled } : next
}

/** Nothing new comes, for a reason in a sentence; undefined: all is well again. */
export function troubled(state: EventsState, text: string | undefined, ended: boolean): EventsState {
  const rest = { ...without(state, 'trouble'), ended: state.ended || ended }
  return text === undefined ? rest : { ...rest, trouble: text }
}

export function toPane(state: EventsState, pane: Pane): EventsState {
  return { ...state, pane, lower: pane === 'event' || pane === 'attachment' ? pane : state.lower }
}

/** Goes `by` events further. `rows`: events that the list shows at once. */
export function moved(state: EventsState, by: number, rows: number): EventsState {
  const cursor = movedCursor(listed(state), state.cursor, by, rows)
  if (cursor === state.cursor) return state
  const opened = state.open === undefined ? {} : { open: { scroll: 0 } }
  return { ...state, ...opened, cursor, scrolls: unscrolled }
}

/** Follows the newest event. */
export const follow = (state: EventsState): EventsState =>
  state.cursor.at === undefined ? state : { ...state, cursor: RESTING, scrolls: unscrolled }

/** Scrolls the open event, or the lower pane that the keys are in. `limit`: the last line that may come first. */
export function scrolled(state: EventsState, by: number, limit: number): EventsState {
  const to = (from: number) => clamp(from + by, 0, Math.max(0, limit))
  if (state.open !== undefined) return { ...state, open: { scroll: to(state.open.scroll) } }
  const { pane, scrolls } = state
  if (pane !== 'event' && pane !== 'attachment') return state
  return { ...state, scrolls: { ...scrolls, [pane]: to(scrolls[pane]) } }
}

/** Opens the selected event. */
export function open(state: EventsState): EventsState {
  if (selected(state) === undefined) return state
  return { ...state, cursor: pinned(listed(state), state.cursor), open: { scroll: 0 } }
}

/** One thing back: the open event, the filter. */
export function back(state: EventsState): EventsState {
  return state.open === undefined ? { ...state, filter: '' } : without(state, 'open')
}
