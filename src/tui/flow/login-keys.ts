import type { KeyPress } from '../screen/keys.js'

/** What a key asks for while the login panel is open. */
export type LoginCommand =
  | 'submit'
  | 'otherField'
  | 'erase'
  | 'clearField'
  | 'browser'
  | 'cancel'
  | 'interrupt'
  | 'suspend'

const table: Readonly<Record<string, LoginCommand>> = {
  enter: 'submit',
  tab: 'otherField',
  'shift-tab': 'otherField',
  up: 'otherField',
  down: 'otherField',
  backspace: 'erase',
  'ctrl-u': 'clearField',
  'ctrl-b': 'browser',
  esc: 'cancel',
  'ctrl-c': 'interrupt',
  'ctrl-z': 'suspend',
}

/** The hints under the panel; the lowest `keep` goes first. */
export const LOGIN_HINTS = [
  { text: 'enter log in', keep: 9 },
  { text: 'tab field', keep: 6 },
  { text: '^u clear', keep: 5 },
  { text: '^b your browser', keep: 8 },
  { text: 'esc cancel', keep: 7 },
  { text: '^C quit', keep: 10 },
] as const

/** The command of a key in the panel; undefined where the key types its text. */
export function loginCommandOf({ name }: KeyPress): LoginCommand | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
