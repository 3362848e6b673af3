import type { Binding } from '../screen/key-table.js'
import { bindingOf } from '../screen/key-table.js'
import type { HomeState } from './state.js'
import { selectedEntry } from './state.js'

/** The commands of the keys. */
export type Command =
  | 'run'
  | 'down'
  | 'up'
  | 'pageDown'
  | 'pageUp'
  | 'first'
  | 'last'
  | 'filter'
  | 'copy'
  | 'help'
  | 'back'
  | 'leave'
  | 'quit'
  | 'interrupt'
  | 'suspend'

type HomeBinding = Binding<HomeState, Command, 'Everywhere' | 'Menu'>

const listing = ({ help }: HomeState): boolean => !help
const something = (state: HomeState): boolean => listing(state) && selectedEntry(state) !== undefined

/** The keys of the menu, in the order of the hint line. */
export const HOME_KEYS: readonly HomeBinding[] = [
  {
    keys: ['enter'],
    command: 'run',
    group: 'Menu',
    help: ['enter', 'run the command line'],
    hint: { text: 'enter run', keep: 9 },
    when: something,
  },
  {
    keys: ['j', 'down', 'tab'],
    command: 'down',
    group: 'Everywhere',
    help: ['j k ↓ ↑', 'move'],
    hint: { text: 'j k move', keep: 6 },
    when: something,
  },
  { keys: ['k', 'up', 'shift-tab'], command: 'up', group: 'Everywhere', when: something },
  {
    keys: ['ctrl-f', 'pagedown'],
    command: 'pageDown',
    group: 'Everywhere',
    help: ['^f ^b', 'page down, page up'],
    when: something,
  },
  { keys: ['ctrl-b', 'pageup'], command: 'pageUp', group: 'Everywhere', when: something },
  {
    keys: ['g', 'home'],
    command: 'first',
    group: 'Everywhere',
    help: ['g G', 'first, last'],
    when: something,
  },
  { keys: ['G', 'end'], command: 'last', group: 'Everywhere', when: something },
  {
    keys: ['/'],
    command: 'filter',
    group: 'Menu',
    help: ['/', 'filter: words of name or line'],
    hint: { text: '/ filter', keep: 8 },
    when: listing,
  },
  {
    keys: ['y'],
    command: 'copy',
    group: 'Everywhere',
    help: ['y', 'copy the command line'],
    hint: { text: 'y copy', keep: 5 },
    when: something,
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
export function commandOf(key: string, state: HomeState): Command | undefined {
  return bindingOf(HOME_KEYS, key, state)?.command
}
