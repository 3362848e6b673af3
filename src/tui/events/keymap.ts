import type { Binding } from '../screen/key-table.js'
import { bindingOf } from '../screen/key-table.js'
import { selected } from './listed.js'
import type { EventsState } from './state.js'

/** The commands of the keys. */
export type Command =
  | 'open'
  | 'only'
  | 'left'
  | 'right'
  | 'nextPane'
  | 'previousPane'
  | 'pane'
  | 'down'
  | 'up'
  | 'pageDown'
  | 'pageUp'
  | 'first'
  | 'last'
  | 'filter'
  | 'follow'
  | 'export'
  | 'copy'
  | 'help'
  | 'back'
  | 'leave'
  | 'quit'
  | 'interrupt'
  | 'suspend'

type EventsBinding = Binding<EventsState, Command, 'Everywhere' | 'Events'>

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
  {
    keys: ['tab'],
    command: 'nextPane',
    group: 'Everywhere',
    help: ['tab', 'next pane'],
    hint: { text: 'tab pane', keep: 8 },
    when: panes,
  },
  { keys: ['shift-tab'], command: 'previousPane', group: 'Everywhere', when: panes },
  {
    keys: ['1', '2', '3', '4'],
    command: 'pane',
    group: 'Everywhere',
    help: ['1 … 4', 'go to that pane'],
    when: panes,
  },
  {
    keys: ['j', 'down'],
    command: 'down',
    group: 'Everywhere',
    help: ['j k ↓ ↑', 'move or scroll'],
    hint: { text: 'j k move', keep: 4 },
  },
  { keys: ['k', 'up'], command: 'up', group: 'Everywhere' },
  {
    keys: ['ctrl-f', 'pagedown'],
    command: 'pageDown',
    group: 'Everywhere',
    help: ['^f ^b', 'page down, page up'],
  },
  { keys: ['ctrl-b', 'pageup'], command: 'pageUp', group: 'Everywhere' },
  { keys: ['g', 'home'], command: 'first', group: 'Everywhere', help: ['g G', 'first, last'] },
  { keys: ['G', 'end'], command: 'last', group: 'Everywhere' },
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
  {
    keys: ['?'],
    command: 'help',
    group: 'Everywhere',
    help: ['?', 'this help'],
    hint: { text: '? help', keep: 10 },
  },
  { keys: ['esc'], command: 'back', group: 'Everywhere', help: ['esc', 'back, clear the filter'] },
  {
    keys: ['q'],
    command: 'leave',
    group: 'Everywhere',
    help: ['q', 'back, or quit'],
    hint: { text: 'q quit', keep: 10 },
  },
  { keys: ['Q'], command: 'quit', group: 'Everywhere', help: ['Q ^C', 'quit now'] },
  { keys: ['ctrl-c'], command: 'interrupt', group: 'Everywhere' },
  { keys: ['ctrl-z'], command: 'suspend', group: 'Everywhere', help: ['^Z', 'suspend'] },
]

/** The command of a key in a state; undefined for a key that does nothing there. */
export function commandOf(key: string, state: EventsState): Command | undefined {
  return bindingOf(EVENTS_KEYS, key, state)?.command
}
