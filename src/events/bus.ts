import type { LabEvent, NewEvent } from './event.js'

/** The one bus of a lab. */
export interface EventBus {
  /**
   * Puts the time on an event and hands it to every listener, in the order they came.
   * @param at when it happened, where that was measured: milliseconds since the epoch
   */
  publish(event: NewEvent, at?: number): void
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: LabEvent) => void): () => void
}

/** Moments in ISO 8601. Writing one costs as much as the JSON of an event; those of a second differ in their end alone. */
function isoTimes(): (milliseconds: number) => string {
  let second = Number.NaN
  let start = ''
  return milliseconds => {
    const whole = Math.floor(milliseconds / 1000)
    if (whole !== second) {
      start = new Date(whole * 1000).toISOString().slice(0, -'000Z'.length)
      second = whole
    }
    return `${start}${String(Math.floor(milliseconds) - whole * 1000).padStart(3, '0')}Z`
  }
}

/** @param now the lab's clock, in milliseconds since the epoch */
export function createBus(now: () => number): EventBus {
  // Never changed but made anew: one who subscribes because of an event hears the next one first.
  let listeners: readonly ((event: LabEvent) => void)[] = []
  const iso = isoTimes()
  return {
    publish(made, at = now()) {
      // In the JSON of an event the type comes first, then the time.
      const event: LabEvent = Object.assign({ type: made.type, at: iso(at) }, made)
      for (const listener of listeners) listener(event)
    },
    subscribe(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter(each => each !== listener)
      }
    },
  }
}
