import type { KeyPress } from '../screen/keys.js'
import { createPress, type Exits } from '../screen/press.js'
import type { Size } from '../screen/size.js'
import type { Store } from '../screen/store.js'
import { type Command, commandOf } from './keymap.js'
import type { AttackRunner } from './runner.js'
import type { Action, AttackState } from './state.js'

/** The parts of the screen that keys act on. */
export interface PressPorts extends Exits {
  readonly store: Store<AttackState, Action>
  readonly runner: AttackRunner
}

/** Steps of one page, and more steps than an attack has. */
const PAGE = 5
const ALL = 1_000

/** Makes the function that carries out a key press. */
export function createAttackPress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, runner, quit, suspend } = ports
  const { dispatch, get } = store
  const steps = { line: 1, page: PAGE, end: ALL }
  return createPress<AttackState, Command>({
    get,
    commandOf,
    quit,
    suspend,
    clearNotice() {},
    pressInFront: () => false,
    actions: state => ({
      move: (by, distance) => dispatch({ type: 'move', by: by * steps[distance] }),
      help: () => dispatch({ type: 'help' }),
      back: () => state.help && dispatch({ type: 'help' }),
      canGoBack: state.help,
      own: { next: runner.step, end: runner.finish, toggle: runner.toggle },
    }),
  })
}
