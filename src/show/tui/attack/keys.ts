import { exitKeys, type KeyTable, moveKeys, type Press } from '../screen/key-rows.js'
import type { AttackRunner } from './runner.js'
import { type AttackState, moved } from './state.js'

/** The parts of the screen that keys act on. */
export interface AttackPorts {
  readonly runner: AttackRunner
}

type AttackPress = Press<AttackState, AttackPorts>

const shown = ({ page }: AttackState): boolean => !page
const under = (state: AttackState): boolean => shown(state) && state.runs[state.side].outcome === undefined
const group = 'Attack'

/** Steps that a key moves by; the largest number is more than an attack has. */
const STEPS = { line: 1, page: 5, end: 1_000 } as const

/** The keys of the screen, in the order of the hint line. */
export const ATTACK_KEYS: KeyTable<AttackState, AttackPress> = [
  {
    keys: ['enter'],
    group,
    help: ['enter', 'the next step'],
    hint: ['enter step', 9],
    when: under,
    does: ({ runner }) => runner.step(),
  },
  {
    keys: [' '],
    group,
    help: ['space', 'every step to the end'],
    hint: ['space to the end', 7],
    when: under,
    does: ({ runner }) => runner.finish(),
  },
  {
    keys: ['d'],
    group,
    help: ['d', 'switch the defence, and replay'],
    hint: ['d defence', 9],
    when: shown,
    does: ({ runner }) => runner.toggle(),
  },
  ...moveKeys<AttackState, AttackPress>(
    ({ store }, by, distance) => store.update(state => moved(state, by * STEPS[distance])),
    { meaning: 'move', hint: ['j k move', 6], when: shown },
  ),
  ...exitKeys<AttackState, AttackPress>(
    state => state,
    () => false,
  ),
]
