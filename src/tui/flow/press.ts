import type { KeyPress } from '../screen/keys.js'
import type { Size } from '../screen/size.js'
import type { Store } from '../screen/store.js'
import type { Action } from './actions.js'
import { layoutOf, scrollLimit } from './frame.js'
import type { FrameContext } from './header.js'
import type { Command } from './keymap.js'
import { commandOf } from './keymap.js'
import { loginAnswer } from './login-form.js'
import type { LoginCommand } from './login-keys.js'
import { loginCommandOf } from './login-keys.js'
import type { Runner } from './runner.js'
import type { FlowState } from './state.js'

/** What keys act on. */
export interface PressPorts {
  readonly store: Store<FlowState, Action>
  readonly runner: Runner
  readonly context: () => FrameContext
  /** Leaves the screen; by Ctrl-C when `interrupted`. */
  readonly quit: (interrupted: boolean) => void
  /** Gives the terminal back to the shell until the program is continued. */
  readonly suspend: () => void
}

/** More lines than any pane has: to the first or last one. */
const ALL = 1_000_000

/** Makes the function that carries a key press out. */
export function createPress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, runner } = ports
  return (press, size) => {
    const state = store.get()
    if (state.login) {
      const command = loginCommandOf(press)
      if (command !== undefined) logIn(command, ports)
      else store.dispatch({ type: 'typed', text: press.text })
      return
    }
    const command = commandOf(press.name, state)
    if (command !== undefined) perform(command, size, ports)
  }

  function perform(command: Command, size: Size, { quit, suspend, context }: PressPorts): void {
    const state = store.get()
    const scroll = (by: number) =>
      store.dispatch({ type: 'scroll', by, limit: scrollLimit(state, size, context()) })
    const page = () => Math.max(1, layoutOf(state, size).exchange.rows - 1)
    const does: Readonly<Record<Command, () => void>> = {
      advance: runner.advance,
      runAll: runner.runAll,
      restart: runner.restart,
      earlier: () => store.dispatch({ type: 'select', by: -1 }),
      later: () => store.dispatch({ type: 'select', by: 1 }),
      nextPane: () => store.dispatch({ type: 'nextPane', by: 1 }),
      previousPane: () => store.dispatch({ type: 'nextPane', by: -1 }),
      sequence: () => store.dispatch({ type: 'pane', pane: 'sequence' }),
      exchange: () => store.dispatch({ type: 'pane', pane: 'exchange' }),
      token: () => store.dispatch({ type: 'pane', pane: 'token' }),
      nextToken: () => store.dispatch({ type: 'nextToken' }),
      down: () => scroll(1),
      up: () => scroll(-1),
      pageDown: () => scroll(page()),
      pageUp: () => scroll(-page()),
      first: () => scroll(-ALL),
      last: () => scroll(ALL),
      grow: () => store.dispatch({ type: 'grow', by: 1 }),
      shrink: () => store.dispatch({ type: 'grow', by: -1 }),
      body: () => store.dispatch({ type: 'body' }),
      secrets: () => store.dispatch({ type: 'secrets' }),
      help: () => store.dispatch({ type: 'help', open: !state.help }),
      back: () => store.dispatch({ type: 'help', open: false }),
      leave: () => (state.help ? store.dispatch({ type: 'help', open: false }) : quit(false)),
      quit: () => quit(false),
      interrupt: () => quit(true),
      suspend,
    }
    does[command]()
  }
}

function logIn(command: LoginCommand, { store, runner, quit, suspend }: PressPorts): void {
  const form = store.get().login
  if (form === undefined) return
  const submit = (): void => {
    const answer = loginAnswer(form)
    if (answer) runner.answer(answer)
    else if ((form.field === 'username') === (form.username !== '')) store.dispatch({ type: 'otherField' })
  }
  const does: Readonly<Record<LoginCommand, () => void>> = {
    submit,
    otherField: () => store.dispatch({ type: 'otherField' }),
    erase: () => store.dispatch({ type: 'erase' }),
    clearField: () => store.dispatch({ type: 'clearField' }),
    browser: () => runner.answer({ kind: 'browser' }),
    cancel: () => runner.answer({ kind: 'cancel' }),
    interrupt: () => quit(true),
    suspend,
  }
  does[command]()
}
