import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import { USUAL_FIELDS } from '../../render/events/events-list.js'
import {
  copyText,
  type ExportFile,
  exportMenu,
  type FileOffers,
  opensExports,
  pressInExportMenu,
} from '../screen/exports.js'
import {
  type Distance,
  exitKeys,
  type KeyTable,
  keyRows,
  linesOf,
  moveKeys,
  type Press,
  paneKeys,
  pressInFilter,
  type ScreenKeys,
  typesFilter,
} from '../screen/key-rows.js'
import { clamp, pinned } from '../screen/list.js'
import type { Menu } from '../screen/menu.js'
import { type FrameContext, layOut, scrollLimit, valueAt, valueCount } from './panes.js'
import {
  back,
  type EventsState,
  follow,
  listed,
  moved,
  open,
  PANES,
  type Pane,
  scrolled,
  selected,
  toPane,
} from './state.js'

/** The forms of an export. */
export type ExportForm = 'jsonl' | 'csv' | 'post'

/** The functions of the screen beside showing. */
export interface EventsOffers extends FileOffers {
  /** Events in a form, as the text of a file. */
  readonly written: (form: ExportForm, events: readonly ListedEvent[]) => string
}

/** The parts of the screen that keys act on. */
export interface EventsPorts {
  readonly offers: EventsOffers
  readonly context: () => FrameContext
}

type EventsPress = Press<EventsState, EventsPorts>

/** The export menu. */
export const eventsMenu = (now: number): Menu<ExportFile<EventsPress>> =>
  exportMenu('events', now, [
    [
      'j',
      'JSON lines, the events listed',
      'jsonl',
      on => on.offers.written('jsonl', listed(on.state).events),
    ],
    ['c', 'CSV, the events listed', 'csv', on => on.offers.written('csv', listed(on.state).events)],
    ['p', 'chat post, this event', 'json', on => on.offers.written('post', [selected(on.state)!])],
  ])

const panes = (state: EventsState): boolean => state.open === undefined
const counts = (state: EventsState): boolean => panes(state) && state.pane === 'counts'
const opened = (state: EventsState): boolean => state.open !== undefined
const something = (state: EventsState): boolean => selected(state) !== undefined

function move({ state, size, store, context }: EventsPress, by: 1 | -1, distance: Distance): void {
  const { open, pane } = state
  const { list, counts, lower, single } = layOut(size)
  if (open === undefined && pane === 'events') {
    const end = by > 0 && distance === 'end'
    store.update(now => (end ? follow(now) : moved(now, linesOf(by, distance, list.rows), list.rows)))
  } else if (open === undefined && pane === 'counts') {
    const last = Math.max(0, Math.min(counts.rows, valueCount(state)) - 1)
    const row = clamp(state.count.row + linesOf(by, distance, counts.rows), 0, last)
    store.update(now => ({ ...now, count: { ...now.count, row } }))
  } else {
    const { rows } = open === undefined ? lower : single
    const limit = scrollLimit(state, size, context())
    store.update(now => scrolled(now, linesOf(by, distance, rows), limit))
  }
}

const toField =
  (by: 1 | -1) =>
  ({ count: { field }, ...state }: EventsState): EventsState => {
    const fields = USUAL_FIELDS.length
    return { ...state, count: { field: (field + by + fields) % fields, row: 0 } }
  }

const toOther =
  (by: 1 | -1) =>
  (state: EventsState, { size }: EventsPress): EventsState =>
    moved(state, by, layOut(size).list.rows)

/** A filter is a list of words: a value with spaces in it is named by its first word. */
function onlyValue(state: EventsState): EventsState {
  const at = valueAt(state)
  return at === undefined ? state : { ...state, filter: `${at.field}:${at.value.split(' ')[0] ?? ''}` }
}

function copy(on: EventsPress): void {
  const event = selected(on.state)
  if (event !== undefined) copyText(on, jsonLine(event), `copied event ${event.ray_id}`)
}
const row = keyRows<EventsState, EventsPress>

/** The keys of the events screen, in the order of the hint line. */
export const EVENTS_KEYS: KeyTable<EventsState, EventsPress> = [
  ...row('Events', [
    ['enter', 'open; in 1, only these', { change: onlyValue }, ['enter only these', 9, something], counts],
    [
      'enter',
      undefined,
      { change: open },
      ['enter open', 9, something],
      state => panes(state) && state.pane !== 'counts',
    ],
    ['left h', ['← → h l', 'in 1, field; else event'], { change: toField(-1) }, ['←→ field', 8], counts],
    ['right l', undefined, { change: toField(1) }, undefined, counts],
    ['left h', undefined, { change: toOther(-1) }, ['←→ others', 8], opened],
    ['right l', undefined, { change: toOther(1) }, undefined, opened],
  ]),
  ...paneKeys<Pane, EventsState, EventsPress>({
    panes: PANES,
    to: toPane,
    keep: 8,
    help: ['1 … 4', 'go to that pane'],
    when: panes,
  }),
  ...moveKeys<EventsState, EventsPress>(move, { hint: ['j k move', 4] }),
  ...row('Events', [
    ['/', 'filter: action:drop /login', typesFilter(({ filter }) => filter), ['/ filter', 7], panes],
    [
      'F',
      'follow new events',
      {
        change: state =>
          state.cursor.at === undefined
            ? { ...state, cursor: pinned(listed(state), state.cursor) }
            : follow(state),
      },
      ['F follow', 5],
      panes,
    ],
  ]),
  ...row('Everywhere', [
    ['x', 'export: JSON, CSV, chat', opensExports, ['x export', 3], something],
    ['y', 'copy the event as JSON', { does: copy }, ['y copy', 2], something],
  ]),
  ...exitKeys<EventsState, EventsPress>(back, ({ open }) => open !== undefined, 'back, clear the filter'),
]

/** The keys of the screen, and the filter or the menu in front. */
export const eventsKeys: ScreenKeys<EventsState, EventsPorts> = {
  keys: EVENTS_KEYS,
  inFront(on) {
    const { typing, menu, filter } = on.state
    if (typing) pressInFilter(on, filter, (state, text) => ({ ...state, filter: text }))
    else if (menu !== undefined) pressInExportMenu(on, eventsMenu(on.context().now))
    return typing !== undefined || menu !== undefined
  },
}
