import type { LabEvent, NewEvent } from './event.js'

/** The one bus of a lab. */
export interface EventBus {
  /** Puts the time on an event and hands it to every listener, in the order they came. */
  publish(event: NewEvent): void
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: LabEvent) => void): () => void
}

/** @param now the lab's clock, in milliseconds since the epoch */
export function createBus(now: () => number): EventBus {
  const listeners = new Set<(event: LabEvent) => void>()
  return {
    publish(made) {
      // In the JSON of an event the type comes first, then the time.
      const event: LabEvent = Object.assign({ type: made.type, at: new Date(now()).toISOString() }, made)
      // A copy: one who subscribes because of this event hears the next one first.
      for (const listener of [...listeners]) listener(event)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
