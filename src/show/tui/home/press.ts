import { clipboardSequence } from '../screen/clipboard.js'
import type { KeyPress } from '../screen/keys.js'
import { createPress, type Exits, pressInFilter } from '../screen/press.js'
import type { Size } from '../screen/size.js'
import type { Store } from '../screen/store.js'
import type { HomeEntry } from './entry.js'
import type { Command } from './keymap.js'
import { commandOf } from './keymap.js'
import { layOut } from './layout.js'
import type { Action, HomeState } from './state.js'
import { selectedEntry } from './state.js'

/** The parts of the menu that keys act on. */
export interface PressPorts extends Exits {
  readonly store: Store<HomeState, Action>
  /** Leaves the menu with a command to run. */
  readonly choose: (entry: HomeEntry) => void
  /** Writes a control sequence that draws nothing. */
  readonly emit: (sequence: string) => void
  /** True when the terminal is known to keep a clipboard. */
  readonly clipboard: boolean
}

/** More entries than the menu has. */
const ALL = 1_000

/** Makes the function that carries out a key press. */
export function createHomePress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, choose, quit, suspend, emit, clipboard } = ports
  const { dispatch, get } = store
  const move = (by: number): void => dispatch({ type: 'move', by })

  function copy({ line }: HomeEntry): void {
    emit(clipboardSequence(line) ?? '')
    const sure = clipboard ? 'copied' : 'copied, if your terminal keeps a clipboard:'
    dispatch({ type: 'notice', text: `${sure} ${line}` })
  }

  return createPress<HomeState, Command>({
    get,
    commandOf,
    quit,
    suspend,
    clearNotice() {
      if (get().notice !== undefined) dispatch({ type: 'notice', text: '' })
    },
    pressInFront(press) {
      const { typing, filter } = get()
      if (!typing) return false
      pressInFilter(press, {
        text: filter,
        change: text => dispatch({ type: 'typed', text }),
        end: keep => dispatch({ type: 'endFilter', keep }),
        move,
        quit,
        suspend,
      })
      return true
    },
    actions(state, _key, size) {
      const entry = selectedEntry(state)
      const lines = { line: 1, page: Math.max(1, layOut(size).list.rows - 1), end: ALL }
      return {
        move: (by, distance) => move(by * lines[distance]),
        help: () => dispatch({ type: 'help' }),
        back: () => dispatch({ type: 'back' }),
        canGoBack: state.help,
        own: {
          run: () => entry && choose(entry),
          filter: () => dispatch({ type: 'startFilter' }),
          copy: () => entry && copy(entry),
        },
      }
    },
  })
}
