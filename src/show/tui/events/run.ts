import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Attachment } from '../../../servers/cloudflare/client/webhook/post.js'
import { signsFor } from '../../render/text/signs.js'
import { foreign, type Line, span } from '../../render/text/spans.js'
import { filterLine, screenFrame, tableHintLine } from '../screen/frame.js'
import { type ScreenTerminal, showScreen } from '../screen/show-screen.js'
import type { Size } from '../screen/size.js'
import { createStore } from '../screen/store.js'
import type { EndingSignal } from '../screen/terminal.js'
import { EVENTS_KEYS, type EventsOffers, eventsKeys, eventsMenu } from './keys.js'
import { type EventsPlace, type FrameContext, type Layout, layOut, panes } from './panes.js'
import { came, type EventsState, initialState, troubled } from './state.js'

/** The last line: the filter that is typed, what is wrong, or hints. */
function bottom(state: EventsState, layout: Layout, { signs }: FrameContext): Line {
  if (state.typing) return filterLine(state.filter, signs)
  if (state.trouble !== undefined) return [span(` ${signs.look} ${foreign(state.trouble, signs)}`, 'look')]
  return tableHintLine(EVENTS_KEYS, state, layout, signs)
}

/** The frame: what the terminal shows of the events. */
export function frameOf(state: EventsState, size: Size, context: FrameContext): Line[] {
  const { signs, now } = context
  return screenFrame(state, size, signs, {
    keys: EVENTS_KEYS,
    notes: ['filters: action:drop ip:203.0.113. !ua:curl /login', '* logged only: nothing was enforced'],
    menu: state.menu && eventsMenu(now),
    panes: () => {
      const layout = layOut(size)
      return [...panes(state, layout, context), bottom(state, layout, context)]
    },
  })
}

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
  const store = createStore(initialState(options.events))
  const contextAt = (time: number): FrameContext => ({ place, signs, since, preview, now: time })
  const signal = await showScreen(options, eventsKeys, () => ({
    store,
    now,
    ports: { offers, context: () => contextAt(now()) },
    frame: (state, size, time) => frameOf(state, size, contextAt(time)),
    // Nothing on it counts down: it is drawn again when an event arrives.
    close: options.listen({
      came: events => store.update(state => came(state, events)),
      trouble: (text, ended) => store.update(state => troubled(state, text, ended)),
    }),
  }))
  const { events, first } = store.get()
  return { signal, events: first + events.length }
}
