import { clipboardSequence } from '../screen/clipboard.js'
import type { KeyPress } from '../screen/keys.js'
import { erased, typed } from '../screen/line-input.js'
import type { Size } from '../screen/size.js'
import type { Store } from '../screen/store.js'
import type { HomeEntry } from './entry.js'
import type { Command } from './keymap.js'
import { commandOf } from './keymap.js'
import { layOut } from './layout.js'
import type { Action, HomeState } from './state.js'
import { selectedEntry } from './state.js'

/** The objects that keys act on. */
export interface PressPorts {
  readonly store: Store<HomeState, Action>
  /** Leaves the menu with a command to run. */
  readonly choose: (entry: HomeEntry) => void
  /** Leaves the menu; by Ctrl-C when `interrupted`. */
  readonly quit: (interrupted: boolean) => void
  readonly suspend: () => void
  /** Writes a control sequence that draws nothing. */
  readonly emit: (sequence: string) => void
  /** True when the terminal is known to keep a clipboard. */
  readonly clipboard: boolean
}

/** More entries than there are. */
const ALL = 1_000

/** Makes the function that carries a key press out. */
export function createPress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, choose, quit, suspend, emit, clipboard } = ports
  const { dispatch, get } = store
  const move = (by: number): void => dispatch({ type: 'move', by })

  function copy({ line }: HomeEntry): void {
    emit(clipboardSequence(line) ?? '')
    const sure = clipboard ? 'copied' : 'copied, if your terminal keeps a clipboard:'
    dispatch({ type: 'notice', text: `${sure} ${line}` })
  }

  function inFilter({ name, text }: KeyPress): void {
    const { filter } = get()
    const does: Readonly<Record<string, () => void>> = {
      'ctrl-c': () => quit(true),
      'ctrl-z': suspend,
      'ctrl-u': () => dispatch({ type: 'typed', text: '' }),
      down: () => move(1),
      up: () => move(-1),
      enter: () => dispatch({ type: 'endFilter', keep: true }),
      esc: () => dispatch({ type: 'endFilter', keep: false }),
      backspace: () => dispatch({ type: 'typed', text: erased(filter) }),
    }
    if (Object.hasOwn(does, name)) does[name]!()
    else if (text !== '') dispatch({ type: 'typed', text: typed(filter, text, 200) })
  }

  function perform(command: Command, size: Size): void {
    const state = get()
    const entry = selectedEntry(state)
    const page = Math.max(1, layOut(size).list.rows - 1)
    const does: Readonly<Record<Command, () => void>> = {
      run: () => entry && choose(entry),
      down: () => move(1),
      up: () => move(-1),
      pageDown: () => move(page),
      pageUp: () => move(-page),
      first: () => move(-ALL),
      last: () => move(ALL),
      filter: () => dispatch({ type: 'startFilter' }),
      copy: () => entry && copy(entry),
      help: () => dispatch({ type: 'help' }),
      back: () => dispatch({ type: 'back' }),
      leave: () => (state.help ? dispatch({ type: 'back' }) : quit(false)),
      quit: () => quit(false),
      interrupt: () => quit(true),
      suspend,
    }
    does[command]()
  }

  return (press, size) => {
    if (get().notice !== undefined) dispatch({ type: 'notice', text: '' })
    const state = get()
    const command = commandOf(press.name, state)
    if (state.typing) inFilter(press)
    else if (command !== undefined) perform(command, size)
  }
}
