import type { Binding } from '../screen/key-table.js'
import { bindingOf } from '../screen/key-table.js'
import { exitKeys, moveKeys, paneKeys, type ScreenCommand } from '../screen/screen-keys.js'
import { selectedEntry, selectedRegistration } from './listing.js'
import type { DashboardState } from './state.js'

/** The commands of this screen alone. */
export type Command =
  | 'open'
  | 'earlier'
  | 'later'
  | 'nextPane'
  | 'previousPane'
  | 'pane'
  | 'filter'
  | 'follow'
  | 'info'
  | 'export'
  | 'copy'
  | 'browser'
  | 'rotate'
  | 'remove'
  | 'grow'
  | 'shrink'

type ServeBinding = Binding<DashboardState, Command | ScreenCommand, 'Everywhere' | 'Serve'>

const listing = (state: DashboardState): boolean => state.open === undefined && state.overlay === undefined
const opened = (state: DashboardState): boolean => state.open !== undefined && state.overlay === undefined
const something = (state: DashboardState): boolean => selectedEntry(state) !== undefined

/** The keys of the dashboard, in the order of the hint line. */
export const SERVE_KEYS: readonly ServeBinding[] = [
  {
    keys: ['enter'],
    command: 'open',
    group: 'Serve',
    help: ['enter', 'open: what was decided'],
    hint: { text: 'enter open', keep: 9, when: something },
    when: listing,
  },
  {
    keys: ['left', 'h'],
    command: 'earlier',
    group: 'Serve',
    help: ['← → h l', 'open the one before, after'],
    hint: { text: '←→ others', keep: 8 },
    when: opened,
  },
  { keys: ['right', 'l'], command: 'later', group: 'Serve', when: opened },
  ...paneKeys<DashboardState>(8, listing),
  {
    keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    command: 'pane',
    group: 'Everywhere',
    help: ['1 … 9', 'go to that pane'],
    when: listing,
  },
  ...moveKeys<DashboardState>({
    hint: { text: 'j k move', keep: 4, when: listing },
    otherHint: { text: 'j k scroll', keep: 4, when: opened },
  }),
  {
    keys: ['/'],
    command: 'filter',
    group: 'Serve',
    help: ['/', 'filter: status:400 /token'],
    hint: { text: '/ filter', keep: 7 },
    when: listing,
  },
  {
    keys: ['F'],
    command: 'follow',
    group: 'Serve',
    help: ['F', 'follow new requests'],
    hint: { text: 'F follow', keep: 5 },
    when: state => listing(state) && state.pane === 'requests',
  },
  {
    keys: ['i'],
    command: 'info',
    group: 'Serve',
    help: ['i', 'addresses, lines to paste'],
    hint: { text: 'i info', keep: 6 },
    when: listing,
  },
  {
    keys: ['x'],
    command: 'export',
    group: 'Everywhere',
    help: ['x', 'export: curl, HAR, JSON'],
    hint: { text: 'x export', keep: 3 },
    when: state => state.overlay === undefined && something(state),
  },
  {
    keys: ['y'],
    command: 'copy',
    group: 'Everywhere',
    help: ['y', 'copy'],
    hint: { text: 'y copy', keep: 2 },
    when: state => state.overlay === 'info' || (state.overlay === undefined && something(state)),
  },
  {
    keys: ['o'],
    command: 'browser',
    group: 'Serve',
    help: ['o', 'open in the browser'],
    hint: { text: 'o browser', keep: 1 },
    when: state => state.overlay !== 'help' && state.view.facts.urls.length > 0,
  },
  { keys: ['K'], command: 'rotate', group: 'Serve', help: ['K', 'sign with a new key'], when: listing },
  {
    keys: ['D'],
    command: 'remove',
    group: 'Serve',
    help: ['D', 'delete a registered client'],
    hint: { text: 'D delete', keep: 9, when: state => selectedRegistration(state) !== undefined },
    when: state => listing(state) && selectedRegistration(state) !== undefined,
  },
  {
    keys: ['+', '='],
    command: 'grow',
    group: 'Everywhere',
    help: ['= -', 'grow, shrink pane'],
    when: listing,
  },
  { keys: ['_', '-'], command: 'shrink', group: 'Everywhere', when: listing },
  ...exitKeys('back, clear the filter'),
]

/** The command of a key in a state; undefined for a key that does nothing there. */
export function commandOf(key: string, state: DashboardState): Command | ScreenCommand | undefined {
  return bindingOf(SERVE_KEYS, key, state)?.command
}
