import type { Binding } from '../screen/key-table.js'
import { bindingOf } from '../screen/key-table.js'
import { exitKeys, moveKeys, paneKeys, type ScreenCommand } from '../screen/screen-keys.js'
import { selected } from './listed.js'
import type { EventsState } from './state.js'

/** The commands of this screen alone. */
export type Command =
  | 'open'
  | 'only'
  | 'left'
  | 'right'
  | 'nextPane'
  | 'previousPane'
  | 'pane'
  | 'filter'
  | 'follow'
  | 'export'
  | 'copy'

type EventsBinding = Binding<EventsState, Command | ScreenCommand, 'Everywhere' | 'Events'>

const panes = (state: EventsState): boolean => state.open === undefined && !state.help
const counts = (state: EventsState): boolean => panes(state) && state.pane === 'counts'
const opened = (state: EventsState): boolean => state.open !== undefined && !state.help
const something = (state: EventsState): boolean => selected(state) !== undefined

/** The keys of the events screen, in the order of the hint line. */
export const EVENTS_KEYS: readonly EventsBinding[] = [
  {
    keys: ['enter'],
    command: 'only',
    group: 'Events',
    help: ['enter', 'open; in 1, only these'],
    hint: { text: 'enter only these', keep: 9, when: something },
    when: counts,
  },
  {
    keys: ['enter'],
    command: 'open',
    group: 'Events',
    hint: { text: 'enter open', keep: 9, when: something },
    when: state => panes(state) && state.pane !== 'counts',
  },
  {
    keys: ['left', 'h'],
    command: 'left',
    group: 'Events',
    help: ['← → h l', 'in 1, field; else event'],
    hint: { text: '←→ field', keep: 8 },
    when: counts,
  },
  { keys: ['right', 'l'], command: 'right', group: 'Events', when: counts },
  {
    keys: ['left', 'h'],
    command: 'left',
    group: 'Events',
    hint: { text: '←→ others', keep: 8 },
    when: opened,
  },
  { keys: ['right', 'l'], command: 'right', group: 'Events', when: opened },
  ...paneKeys<EventsState>(8, panes),
  {
    keys: ['1', '2', '3', '4'],
    command: 'pane',
    group: 'Everywhere',
    help: ['1 … 4', 'go to that pane'],
    when: panes,
  },
  ...moveKeys<EventsState>({ hint: { text: 'j k move', keep: 4 } }),
  {
    keys: ['/'],
    command: 'filter',
    group: 'Events',
    help: ['/', 'filter: action:drop /login'],
    hint: { text: '/ filter', keep: 7 },
    when: panes,
  },
  {
    keys: ['F'],
    command: 'follow',
    group: 'Events',
    help: ['F', 'follow new events'],
    hint: { text: 'F follow', keep: 5 },
    when: panes,
  },
  {
    keys: ['x'],
    command: 'export',
    group: 'Everywhere',
    help: ['x', 'export: JSON, CSV, chat'],
    hint: { text: 'x export', keep: 3 },
    when: state => !state.help && something(state),
  },
  {
    keys: ['y'],
    command: 'copy',
    group: 'Everywhere',
    help: ['y', 'copy the event as JSON'],
    hint: { text: 'y copy', keep: 2 },
    when: state => !state.help && something(state),
  },
  ...exitKeys('back, clear the filter'),
]

/** The command of a key in a state; undefined for a key that does nothing there. */
export function commandOf(key: string, state: EventsState): Command | ScreenCommand | undefined {
  return bindingOf(EVENTS_KEYS, key, state)?.command
}
