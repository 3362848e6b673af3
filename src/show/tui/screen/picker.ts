import type { Distance, Press } from './key-rows.js'
import {
  type Exits,
  type KeyTable,
  keyRows,
  linesOf,
  moveKeys,
  pressInFilterLine,
  quitKeys,
  rowOf,
} from './key-rows.js'
import { clamp, type Pickable, type Picking, picked } from './list.js'

/** A list to choose from that is in front: what narrows it, and what its keys do. */
export interface OpenPicker {
  readonly picking: Picking
  readonly change: (picking: Picking) => void
  /** Chooses by the index among all choices. */
  readonly choose: (index: number) => void
  readonly close: () => void
}

/** The actions of the keys of such a list. */
interface PickerMoves extends Exits {
  readonly step: (by: 1 | -1, distance: Distance) => void
  readonly choose: () => void
  readonly back: () => void
  readonly change: (picking: Picking) => void
  readonly picking: Picking
}

/** The keys of every menu and of the help page; the letters before the items of a menu choose them at once. */
export const MENU_KEYS: KeyTable<unknown, PickerMoves> = [
  ...keyRows<unknown, PickerMoves>('Menus', [
    [
      'enter',
      'choose; so does the letter before it',
      { does: ({ choose }) => choose() },
      ['enter choose', 9],
    ],
  ]),
  ...moveKeys<unknown, PickerMoves>(({ step }, by, distance) => step(by, distance), {
    meaning: 'move',
    hint: ['j k move', 7],
    byTab: true,
    group: 'Menus',
  }),
  ...keyRows<unknown, PickerMoves>('Menus', [
    [
      '/',
      'filter: words of its line',
      { does: ({ change, picking }) => change({ typing: { before: picking.filter ?? '' } }) },
      ['/ filter', 8],
    ],
    [
      'a',
      'show, hide what does not apply',
      { does: ({ change, picking }) => change({ all: picking.all !== true }) },
      ['a all', 6],
    ],
    ['esc q', 'clear the filter, leave it alone', { does: ({ back }) => back() }, ['esc leave it alone', 10]],
  ]),
  ...quitKeys<unknown, PickerMoves>('Menus', 8),
]

/** Choices that a page moves by. */
const PAGE = 10

/** Carries out a key press while a list to choose from is in front. */
export function pressInPicker(
  on: Pick<Press<unknown>, 'press' | 'quit' | 'suspend'>,
  choices: readonly Pickable[],
  { picking, change, choose, close }: OpenPicker,
): void {
  const { filter = '', typing } = picking
  const { listed, at } = picked(choices, picking)
  const step = (by: 1 | -1, distance: Distance): void => {
    const to = at + linesOf(by, distance, PAGE)
    // A line beyond the end is the other end.
    const place = distance === 'line' ? (to + listed.length) % listed.length : clamp(to, 0, listed.length - 1)
    change({ at: listed[place] })
  }
  if (typing) {
    const filtered = (text: string, done: boolean): void =>
      change({ filter: text, at: undefined, ...(done && { typing: undefined }) })
    const others = { down: () => step(1, 'line'), up: () => step(-1, 'line') }
    pressInFilterLine(on, filter, typing.before, filtered, others)
    return
  }
  rowOf(MENU_KEYS, on.press.name, undefined)?.does?.({
    ...on,
    picking,
    change,
    step,
    choose() {
      const index = listed[at]
      if (index !== undefined) choose(index)
    },
    back: () => (filter === '' ? close() : change({ filter: '', at: undefined })),
  })
}
