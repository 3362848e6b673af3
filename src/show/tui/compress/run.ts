import { signsFor } from '../../render/text/signs.js'
import type { EndingSignal } from '../screen/endings.js'
import type { ScreenTerminal } from '../screen/show-screen.js'
import { showScreen } from '../screen/show-screen.js'
import { createStore } from '../screen/store.js'
import type { FrameContext } from './frame.js'
import { frameOf } from './frame.js'
import { createMeasuring } from './measuring.js'
import type { CompressOffers } from './offers.js'
import { createCompressPress } from './press.js'
import type { CompressState } from './state.js'
import { initialState, reduce } from './state.js'

/** How the compression lab is shown. */
export interface CompressOptions extends ScreenTerminal {
  readonly offers: CompressOffers
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly ascii: boolean
}

/**
 * Shows the compression lab in the alternate screen of the terminal until the person leaves it.
 * @returns the signal that ended it, if any
 */
export async function runCompress(options: CompressOptions): Promise<EndingSignal | undefined> {
  const { offers, now } = options
  const signs = signsFor(options)
  const store = createStore(reduce, initialState(offers.cases, offers.paths[0] ?? '/'))
  const measuring = createMeasuring(store, offers.measure)
  const context = (): FrameContext => ({ signs, server: offers.server, now: now() })
  return showScreen<CompressState>(options, ({ finish, suspend, emit }) => {
    measuring.missing()
    return {
      store,
      now,
      frame: (state, size) => frameOf(state, size, context()),
      press: createCompressPress({
        store,
        offers,
        context,
        suspend,
        emit,
        measure: measuring.missing,
        forget: measuring.forget,
        quit: interrupted => finish(interrupted ? { signal: 'SIGINT' } : {}),
      }),
      ticks: () => false,
      async close() {
        measuring.forget()
      },
    }
  })
}
