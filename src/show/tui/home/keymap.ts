import type { Binding } from '../screen/key-table.js'
import { bindingOf } from '../screen/key-table.js'
import { exitKeys, moveKeys, type ScreenCommand } from '../screen/screen-keys.js'
import type { HomeState } from './state.js'
import { selectedEntry } from './state.js'

/** The commands of this screen alone. */
export type Command = 'run' | 'filter' | 'copy'

type HomeBinding = Binding<HomeState, Command | ScreenCommand, 'Everywhere' | 'Menu'>

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
  ...moveKeys<HomeState>({
    meaning: 'move',
    hint: { text: 'j k move', keep: 6 },
    byTab: true,
    when: something,
  }),
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
  ...exitKeys('back, clear the filter'),
]

/** The command of a key in a state; undefined for a key that does nothing there. */
export function commandOf(key: string, state: HomeState): Command | ScreenCommand | undefined {
  return bindingOf(HOME_KEYS, key, state)?.command
}
