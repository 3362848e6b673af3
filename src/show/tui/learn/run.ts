import { signsFor } from '../../render/text/signs.js'
import type { ScreenTerminal } from '../screen/show-screen.js'
import { showScreen } from '../screen/show-screen.js'
import type { Store } from '../screen/store.js'
import { frameOf } from './frame.js'
import type { HandedOver, LearnEnded, LearnOffers } from './offers.js'
import { createLearnPress } from './press.js'
import type { Action, LearnState } from './state.js'

/** How a course is shown. */
export interface LearnScreenOptions extends ScreenTerminal {
  readonly store: Store<LearnState, Action>
  /** Makes the work behind the keys. */
  readonly offers: (ports: {
    /** Leaves the screen with an error. */
    readonly failed: (error: unknown) => void
    readonly handOver: (command: HandedOver) => void
  }) => LearnOffers
  readonly ascii: boolean
}

/** Shows the course in the alternate screen of the terminal until the person leaves it, or a command needs the terminal. */
export async function runLearnScreen(options: LearnScreenOptions): Promise<LearnEnded> {
  const { store } = options
  const signs = signsFor(options)
  let handedOver: HandedOver | undefined
  const signal = await showScreen<LearnState>(options, ({ finish, suspend }) => {
    const handOver = (command: HandedOver): void => {
      handedOver = command
      finish({})
    }
    const offers = options.offers({ failed: error => finish({ error }), handOver })
    offers.begin()
    return {
      store,
      now: Date.now,
      frame: (state, size) => frameOf(state, size, signs),
      press: createLearnPress({
        store,
        offers,
        signs,
        suspend,
        handOver,
        quit: interrupted => finish(interrupted ? { signal: 'SIGINT' } : {}),
      }),
      ticks: () => false,
      close: offers.close,
    }
  })
  return { ...(signal !== undefined && { signal }), ...(handedOver && { handedOver }) }
}
