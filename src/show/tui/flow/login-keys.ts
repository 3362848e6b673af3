import type { Binding } from '../screen/key-table.js'
import { bindingOf } from '../screen/key-table.js'
import type { KeyPress } from '../screen/keys.js'
import type { LoginForm } from './state.js'

/** The commands of the keys while the login panel is open. */
export type LoginCommand =
  | 'submit'
  | 'otherField'
  | 'erase'
  | 'clearField'
  | 'browser'
  | 'cancel'
  | 'interrupt'
  | 'suspend'

const group = 'At the login'

/** The keys of the login panel; every other key types itself. */
export const LOGIN_KEYS: ReadonlyArray<Binding<LoginForm | undefined, LoginCommand>> = [
  {
    keys: ['enter'],
    command: 'submit',
    group,
    help: ['enter', 'log in'],
    hint: { text: 'enter log in', keep: 9 },
  },
  {
    keys: ['tab', 'shift-tab', 'up', 'down'],
    command: 'otherField',
    group,
    help: ['tab ↓ ↑', 'the other field'],
    hint: { text: 'tab field', keep: 6, when: form => form?.field !== 'code' },
  },
  { keys: ['backspace'], command: 'erase', group, help: ['backspace', 'erase a character'] },
  {
    keys: ['ctrl-u'],
    command: 'clearField',
    group,
    help: ['^u', 'empty the field'],
    hint: { text: '^u clear', keep: 5 },
  },
  {
    keys: ['ctrl-b'],
    command: 'browser',
    group,
    help: ['^b', 'log in with your own browser'],
    hint: { text: '^b your browser', keep: 8 },
  },
  { keys: ['esc'], command: 'cancel', group, help: ['esc', 'cancel'], hint: { text: 'esc cancel', keep: 7 } },
  {
    keys: ['ctrl-c'],
    command: 'interrupt',
    group,
    help: ['^C', 'quit now'],
    hint: { text: '^C quit', keep: 10 },
  },
  { keys: ['ctrl-z'], command: 'suspend', group, help: ['^Z', 'suspend'] },
]

/** The command of a key in the panel; undefined where the key types its text. */
export function loginCommandOf({ name }: KeyPress): LoginCommand | undefined {
  return bindingOf(LOGIN_KEYS, name, undefined)?.command
}
