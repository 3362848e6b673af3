import type { MenuEntry } from '../../render/spoken/spoken-item.js'
import { copyLine } from '../screen/exports.js'
import { listRoom } from '../screen/frame.js'
import {
  exitKeys,
  type KeyTable,
  keyRows,
  linesOf,
  moveKeys,
  type Press,
  pressInFilter,
  type ScreenKeys,
  typesFilter,
} from '../screen/key-rows.js'
import { filtered, type HomeState, moved, selectedEntry } from './state.js'

/** Lines of the command line and what is below it. */
export const DETAILS = { wide: 5, normal: 4, small: 3, tooSmall: 1 } as const

/** The parts of the menu that keys act on. */
export interface HomePorts {
  /** Leaves the menu with a command to run. */
  readonly choose: (entry: MenuEntry) => void
  /** True when the terminal is known to keep a clipboard. */
  readonly clipboard: boolean
}

type HomePress = Press<HomeState, HomePorts>

const something = (state: HomeState): boolean => selectedEntry(state) !== undefined

const row = keyRows<HomeState, HomePress>

/** The keys of the menu, in the order of the hint line. */
export const HOME_KEYS: KeyTable<HomeState, HomePress> = [
  ...row('Menu', [
    [
      'enter',
      'run the command line',
      { does: ({ state, choose }) => choose(selectedEntry(state)!) },
      ['enter run', 9],
      something,
    ],
  ]),
  ...moveKeys<HomeState, HomePress>(
    ({ store, size }, by, distance) =>
      store.update(state => moved(state, linesOf(by, distance, listRoom(size, DETAILS).rows))),
    { meaning: 'move', hint: ['j k move', 6], byTab: true, when: something },
  ),
  ...row('Menu', [
    ['/', 'filter: words of name or line', typesFilter(({ filter }) => filter), ['/ filter', 8]],
  ]),
  ...row('Everywhere', [
    [
      'y',
      'copy the command line',
      { does: on => copyLine(on, selectedEntry(on.state)!.line) },
      ['y copy', 5],
      something,
    ],
  ]),
  ...exitKeys<HomeState, HomePress>(
    state => filtered(state, ''),
    () => false,
    'back, clear the filter',
  ),
]

/** The keys of the menu, and the filter in front. */
export const homeKeys: ScreenKeys<HomeState, HomePorts> = {
  keys: HOME_KEYS,
  inFront(on) {
    const { typing, filter } = on.state
    const go = (by: number) => () => on.store.update(state => moved(state, by))
    if (typing) pressInFilter(on, filter, filtered, { down: go(1), up: go(-1) })
    return typing !== undefined
  },
}
