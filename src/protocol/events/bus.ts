import type { ShownWeak } from '../rules/weak-modes.js'
import { boundedEvent } from './bounded-event.js'
import type { LabEvent, LabStamp, NewEvent, RequestStamp } from './event.js'

/** The events of one request. */
export interface RequestEvents {
  /** Number of the request in this program, from 1. */
  readonly id: number
  /** Publishes an event of this request. The bus adds `request`, and the origin of the request. */
  readonly publish: (event: NewEvent) => void
}

/** The one bus of a program. It stamps and bounds every event; listeners may keep what they get. */
export interface EventBus {
  /** Publishes an event that no request caused. */
  publish(event: NewEvent): void
  /**
   * Gives the next request its id. Ids are unique on this bus.
   * @param origin the request that caused this one, and the address that it came from
   */
  openRequest(origin?: Omit<RequestStamp, 'request'>): RequestEvents
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: LabEvent) => void): () => void
}

/**
 * @param now the lab's clock, in milliseconds since the epoch
 * @param weak the weak modes of the lab, which every event names; left out: none
 */
export function createBus(now: () => number, weak: readonly ShownWeak[] = []): EventBus {
  const mark: LabStamp | undefined = weak.length === 0 ? undefined : { weak }
  // Replaced, never changed: a listener that subscribes during an event gets the next event first.
  let listeners: readonly ((event: LabEvent) => void)[] = []
  let requests = 0

  function send(event: NewEvent, stamp?: RequestStamp): void {
    // In the JSON of an event the type comes first, then the time. No member of an event hides the modes of its lab.
    const { type, ...members } = boundedEvent(event)
    const stamped: LabEvent = {
      type,
      at: new Date(now()).toISOString(),
      ...stamp,
      ...mark,
      ...members,
      ...mark,
    }
    for (const listener of listeners) listener(stamped)
  }

  return {
    publish: event => send(event),
    openRequest(origin) {
      const request = ++requests
      const stamp = { request, ...origin }
      return { id: request, publish: event => send(event, stamp) }
    },
    subscribe(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter(each => each !== listener)
      }
    },
  }
}
