import { exitKeys, type KeyTable, keyRows, moveKeys, type Press } from '../screen/key-rows.js'
import type { AttackRunner } from './runner.js'
import { type AttackState, moved } from './state.js'

/** The parts of the screen that keys act on. */
export interface AttackPorts {
  readonly runner: AttackRunner
}

type AttackPress = Press<AttackState, AttackPorts>

const under = ({ runs, side }: AttackState): boolean => runs[side].outcome === undefined

/** Steps that a key moves by; the largest number is more than an attack has. */
const STEPS = { line: 1, page: 5, end: 1_000 } as const
const row = keyRows<AttackState, AttackPress>

/** The keys of the screen, in the order of the hint line. */
export const ATTACK_KEYS: KeyTable<AttackState, AttackPress> = [
  ...row('Attack', [
    ['enter', 'the next step', { does: ({ runner }) => runner.step() }, ['enter step', 9], under],
    [
      [' '],
      ['space', 'every step to the end'],
      { does: ({ runner }) => runner.finish() },
      ['space to the end', 7],
      under,
    ],
    ['d', 'switch the defence, and replay', { does: ({ runner }) => runner.toggle() }, ['d defence', 9]],
  ]),
  ...moveKeys<AttackState, AttackPress>(
    ({ store }, by, distance) => store.update(state => moved(state, by * STEPS[distance])),
    { meaning: 'move', hint: ['j k move', 6] },
  ),
  ...exitKeys<AttackState, AttackPress>(
    state => state,
    () => false,
  ),
]
