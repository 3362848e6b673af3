import type { LabEvent } from '../../../protocol/events.js'
import { signsFor } from '../../render/text/signs.js'
import type { EndingSignal } from '../screen/endings.js'
import type { ScreenTerminal } from '../screen/show-screen.js'
import { showScreen } from '../screen/show-screen.js'
import { createStore } from '../screen/store.js'
import { coalesce } from './coalesce.js'
import type { FrameContext } from './frame.js'
import { frameOf, ticks } from './frame.js'
import type { Feed } from './header.js'
import type { DashboardOffers } from './offers.js'
import { createServePress } from './press.js'
import { reduce } from './reducer.js'
import type { DashboardState } from './state.js'
import { initialState } from './state.js'
import { fold } from './view/fold.js'
import { emptyView } from './view/lab-view.js'

/** The messages of a feed to the dashboard. */
export interface FeedListener {
  readonly event: (event: LabEvent) => void
  /** The state of the feed changed: it has ended, or had broken lines. */
  readonly changed: (feed: Feed) => void
}

/** The content of the dashboard, and its source. */
export interface DashboardOptions extends ScreenTerminal {
  readonly feed: Feed
  /** Starts to report events; returns the function that ends it. */
  readonly listen: (listener: FeedListener) => () => void
  readonly offers: DashboardOffers
  /** The lab's clock, in milliseconds since the epoch. */
  readonly now: () => number
  readonly ascii: boolean
  /** Ends the screen from elsewhere. */
  readonly ended?: AbortSignal
}

/** Pause between two redraws for what happens in the lab, milliseconds: at most 25 a second. Keys never wait. */
const REDRAW_PAUSE = 40

/**
 * Shows a lab in the alternate screen of the terminal until the person leaves it.
 * @returns the signal that ended it, if any, and how many requests were seen
 */
export async function runDashboard(
  options: DashboardOptions,
): Promise<{ readonly signal: EndingSignal | undefined; readonly requests: number }> {
  const { offers, ended } = options
  const signs = signsFor(options)
  let view = emptyView
  let feed = options.feed
  const store = createStore(reduce, initialState(view))
  const { now } = options
  const contextAt = (time: number): FrameContext => ({ feed, signs, now: time })
  const show = coalesce(() => store.dispatch({ type: 'view', view }), REDRAW_PAUSE)
  const signal = await showScreen<DashboardState>(options, ({ finish, suspend, emit }) => {
    const ignore = options.listen({
      event(event) {
        view = fold(view, event)
        show.call()
      },
      changed(changed) {
        feed = changed
        // A new view object: what feeds it is drawn too.
        view = { ...view }
        show.call()
      },
    })
    const leave = (): void => finish({})
    ended?.addEventListener('abort', leave)
    return {
      store,
      now,
      frame: (state, size, time) => frameOf(state, size, contextAt(time)),
      press: createServePress({
        store,
        offers,
        suspend,
        emit,
        context: () => contextAt(now()),
        quit: interrupted => finish(interrupted ? { signal: 'SIGINT' } : {}),
      }),
      ticks: state => ticks(state, { feed }),
      async close() {
        show.stop()
        ignore()
        ended?.removeEventListener('abort', leave)
      },
    }
  })
  return { signal, requests: view.requests.end }
}
