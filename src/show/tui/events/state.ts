import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'

/** The panes of the events screen, in the order of their numbers. */
export const PANES = ['counts', 'events', 'event', 'attachment'] as const

export type Pane = (typeof PANES)[number]

/** Panes that share one room where there is little of it. */
export type LowerPane = 'event' | 'attachment'

/** The position of the keys in the list. */
export interface Cursor {
  /** Number of the event; absent: the newest, whichever that is. */
  readonly at?: number
  /** Lines above it on the screen, as far as there is room. */
  readonly row: number
}

/** Everything the screen knows; its frame is a function of this, the size and the clock. */
export interface EventsState {
  /** Oldest first. */
  readonly events: readonly ListedEvent[]
  /** Number of the first of them: older ones were let go of. */
  readonly first: number
  /** Why there is nothing new, in a sentence. */
  readonly trouble?: string
  /** True when nothing more will come. */
  readonly ended: boolean
  readonly pane: Pane
  /** Which lower pane is drawn where there is room for one. */
  readonly lower: LowerPane
  readonly cursor: Cursor
  /** Field and value that the keys are at in the counts. */
  readonly count: { readonly field: number; readonly row: number }
  /** First lines of the lower panes. */
  readonly scrolls: Readonly<Record<LowerPane, number>>
  readonly filter: string
  /** The filter as it was, while another one is typed. */
  readonly typing?: { readonly before: string }
  /** Set while the event takes all the room: its first visible line. */
  readonly open?: { readonly scroll: number }
  readonly help?: true
  /** The export menu: which item enter would choose. */
  readonly menu?: number
  /** The result of the last key; the next key removes it. */
  readonly notice?: string
}

/** The screen with the events that there are. */
export function initialState(events: readonly ListedEvent[]): EventsState {
  return {
    events,
    first: 0,
    ended: false,
    pane: 'events',
    lower: 'event',
    cursor: { row: 1_000 },
    count: { field: 0, row: 0 },
    scrolls: { event: 0, attachment: 0 },
    filter: '',
  }
}
