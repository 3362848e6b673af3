import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Attachment } from '../../../servers/cloudflare/client/webhook/attachment.js'
import { signsFor } from '../../render/text/signs.js'
import type { EndingSignal } from '../screen/endings.js'
import type { ScreenTerminal } from '../screen/show-screen.js'
import { showScreen } from '../screen/show-screen.js'
import { createStore } from '../screen/store.js'
import type { EventsPlace, FrameContext } from './context.js'
import { frameOf } from './frame.js'
import type { EventsOffers } from './offers.js'
import { createEventsPress } from './press.js'
import { reduce } from './reducer.js'
import type { EventsState } from './state.js'
import { initialState } from './state.js'

/** The messages of a feed to the screen. */
export interface EventsListener {
  /** New events, oldest first. */
  readonly came: (events: readonly ListedEvent[]) => void
  /** Why there is nothing new; undefined: all is well again. */
  readonly trouble: (text: string | undefined, ended: boolean) => void
}

/** The content of the screen, and its source. */
export interface EventsScreenOptions extends ScreenTerminal {
  readonly place: EventsPlace
  /** The events that there are, oldest first. */
  readonly events: readonly ListedEvent[]
  /** From when on there are events, milliseconds since the epoch. */
  readonly since: number
  /** Starts to report new events; returns the function that ends it. */
  readonly listen: (listener: EventsListener) => () => void
  /** An event as it would be posted to a chat. */
  readonly preview: (event: ListedEvent) => Attachment
  readonly offers: EventsOffers
  /** The clock of the service, in milliseconds since the epoch. */
  readonly now: () => number
  readonly ascii: boolean
}

/**
 * Shows security events in the alternate screen of the terminal until the person leaves it.
 * @returns the signal that ended it, if any, and how many events there were
 */
export async function runEventsScreen(
  options: EventsScreenOptions,
): Promise<{ readonly signal: EndingSignal | undefined; readonly events: number }> {
  const { place, since, preview, offers, now } = options
  const signs = signsFor(options)
  const store = createStore(reduce, initialState(options.events))
  const contextAt = (time: number): FrameContext => ({ place, signs, since, preview, now: time })
  const signal = await showScreen<EventsState>(options, ({ finish, suspend, emit }) => {
    const ignore = options.listen({
      came: events => store.dispatch({ type: 'came', events }),
      trouble: (text, ended) => store.dispatch({ type: 'trouble', text, ended }),
    })
    return {
      store,
      now,
      frame: (state, size, time) => frameOf(state, size, contextAt(time)),
      press: createEventsPress({
        store,
        offers,
        suspend,
        emit,
        context: () => contextAt(now()),
        quit: interrupted => finish(interrupted ? { signal: 'SIGINT' } : {}),
      }),
      // Nothing on it counts down: it is drawn again when an event arrives.
      ticks: () => false,
      async close() {
        ignore()
      },
    }
  })
  const { events, first } = store.get()
  return { signal, events: first + events.length }
}
