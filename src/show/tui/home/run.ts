import { signsFor } from '../../render/text/signs.js'
import type { EndingSignal } from '../screen/endings.js'
import type { ScreenTerminal } from '../screen/show-screen.js'
import { showScreen } from '../screen/show-screen.js'
import { createStore } from '../screen/store.js'
import type { HomeEntry } from './entry.js'
import { frameOf } from './frame.js'
import { createHomePress } from './press.js'
import type { HomeState } from './state.js'
import { reduce } from './state.js'

/** How the menu is shown. */
export interface HomeOptions extends ScreenTerminal {
  /** As it was left, or `initialState`. */
  readonly state: HomeState
  /** True when the terminal is known to keep a clipboard. */
  readonly clipboard: boolean
  readonly ascii: boolean
}

/** How the menu was left. */
export interface HomeEnded {
  readonly state: HomeState
  /** The entry to run; absent when the person quit the menu. */
  readonly chosen?: HomeEntry
  readonly signal?: EndingSignal
}

/** Shows the menu in the alternate screen of the terminal until a command is chosen, or the person leaves it. */
export async function runHome(options: HomeOptions): Promise<HomeEnded> {
  const { state, clipboard } = options
  const signs = signsFor(options)
  const store = createStore(reduce, state)
  let chosen: HomeEntry | undefined
  const signal = await showScreen<HomeState>(options, ({ finish, suspend, emit }) => ({
    store,
    now: Date.now,
    frame: (shown, size) => frameOf(shown, size, signs),
    press: createHomePress({
      store,
      suspend,
      emit,
      clipboard,
      choose: entry => {
        chosen = entry
        finish({})
      },
      quit: interrupted => finish(interrupted ? { signal: 'SIGINT' } : {}),
    }),
    ticks: () => false,
    close: async () => {},
  }))
  return { state: store.get(), ...(signal !== undefined && { signal }), ...(chosen && { chosen }) }
}
