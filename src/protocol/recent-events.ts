import type { EventBus, LabEvent } from './events.js'

/** An event with its number. */
export interface NumberedEvent {
  readonly number: number
  readonly event: LabEvent
}

/** The latest of some events, numbered in their order. */
export interface RecentEvents {
  /** Returns the kept events with higher numbers, oldest first. A number that no event has yet stands for 0. */
  after(number: number): readonly NumberedEvent[]
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: NumberedEvent) => void): () => void
}

/** Most events that are kept. */
const MAX_KEPT = 100

/**
 * Numbers the events that it takes, and keeps the latest.
 * @param before the number before the first: the time, in milliseconds since the epoch, so that a reader of an earlier run of the program knows lower
 * numbers alone, and misses none
 */
export function createRecentEvents(
  before: number,
): RecentEvents & { readonly take: (event: LabEvent) => void } {
  let kept: NumberedEvent[] = []
  let latest = before
  const listeners = new Set<(event: NumberedEvent) => void>()
  return {
    take(event) {
      const numbered = { number: ++latest, event }
      kept.push(numbered)
      // Now and then, because moving all of them up costs more than the rest of an event.
      if (kept.length >= 2 * MAX_KEPT) kept = kept.slice(-MAX_KEPT)
      for (const listener of listeners) listener(numbered)
    },
    after: number => kept.slice(-MAX_KEPT).filter(each => number > latest || each.number > number),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Numbers the events of a bus, and keeps the latest. @param before as `createRecentEvents` */
export function keepRecentEvents(bus: Pick<EventBus, 'subscribe'>, before: number): RecentEvents {
  const recent = createRecentEvents(before)
  bus.subscribe(recent.take)
  return recent
}
