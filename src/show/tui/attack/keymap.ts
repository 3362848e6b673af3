import type { Binding } from '../screen/key-table.js'
import { bindingOf } from '../screen/key-table.js'
import { exitKeys, moveKeys, type ScreenCommand } from '../screen/screen-keys.js'
import type { AttackState } from './state.js'

/** The commands of this screen alone. */
export type Command = 'next' | 'end' | 'toggle'

type AttackBinding = Binding<AttackState, Command | ScreenCommand, 'Everywhere' | 'Attack'>

const shown = ({ help }: AttackState): boolean => !help
const under = ({ help, runs, side }: AttackState): boolean => !help && runs[side].outcome === undefined

/** The keys of the screen, in the order of the hint line. */
export const ATTACK_KEYS: readonly AttackBinding[] = [
  {
    keys: ['enter'],
    command: 'next',
    group: 'Attack',
    help: ['enter', 'the next step'],
    hint: { text: 'enter step', keep: 9 },
    when: under,
  },
  {
    keys: [' '],
    command: 'end',
    group: 'Attack',
    help: ['space', 'every step to the end'],
    hint: { text: 'space to the end', keep: 7 },
    when: under,
  },
  {
    keys: ['d'],
    command: 'toggle',
    group: 'Attack',
    help: ['d', 'switch the defence, and replay'],
    hint: { text: 'd defence', keep: 9 },
    when: shown,
  },
  ...moveKeys<AttackState>({ meaning: 'move', hint: { text: 'j k move', keep: 6 }, when: shown }),
  ...exitKeys(),
]

/** The command of a key in a state; undefined for a key that does nothing there. */
export function commandOf(key: string, state: AttackState): Command | ScreenCommand | undefined {
  return bindingOf(ATTACK_KEYS, key, state)?.command
}
