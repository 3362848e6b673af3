import type { LabEvent } from '../../protocol/events.js'
import { brokenText, createEventReader } from './event-feed.js'
import { openSource } from './source.js'

/** The state of a source of events. */
export interface SourceState {
  /** True when more events may come. A recorded file has ended. */
  readonly live: boolean
  /** The number of lines that are no events, in a sentence; absent when every line is one. */
  readonly broken?: string
}

/** The callbacks of a source of events. */
export interface SourceListener {
  readonly event: (event: LabEvent) => void
  readonly changed: (state: SourceState) => void
}

/** The events of a lab of another program, which may have ended. */
export interface WatchedEvents {
  readonly live: boolean
  /** The clock of the lab: the time of its latest event. While the source is live, it goes on from there. */
  readonly now: () => number
  /** Starts to read. Returns the function that ends it. */
  readonly listen: (listener: SourceListener) => () => void
}

/**
 * Watches the events of a file, or of stdin for `-`.
 * @param configured returns the event `lab.configured` for the first event of a lab
 */
export function watchEvents(
  file: string,
  configured: (ready: LabEvent) => Promise<LabEvent | undefined>,
): WatchedEvents {
  const live = file === '-'
  let state: SourceState = { live }
  let [shown, since] = [Date.now(), Date.now()]

  function listen({ event, changed }: SourceListener): () => void {
    const change = (more: Partial<SourceState>): void => {
      state = { ...state, ...more }
      changed(state)
    }
    const take = (read: LabEvent): void => {
      const at = Date.parse(read.at)
      if (!Number.isNaN(at)) [shown, since] = [at, Date.now()]
      event(read)
    }
    const reader = createEventReader({
      event(read) {
        take(read)
        if (read.type !== 'lab.ready') return
        configured(read).then(
          made => made && take(made),
          () => {},
        )
      },
      broken: broken => change({ broken: brokenText(broken) }),
    })
    const end = (): void => {
      reader.end()
      change({ live: false })
    }
    change({})
    const source = openSource(file).on('data', reader.add).once('end', end).once('error', end)
    return () => {
      source.off('data', reader.add).off('end', end)
      source.on('error', () => {})
      source.destroy()
    }
  }
  return { live, now: () => (state.live ? shown + Date.now() - since : shown), listen }
}
