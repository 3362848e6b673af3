import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventBus } from '../events/bus.js'
import type { NewEvent } from '../events/event.js'

/** Numbers the requests of a lab, so that every event says which request it came of. */
export interface RequestScope {
  /** Does the work of one request: what is published meanwhile carries the number. The first one is 1. */
  run<T>(work: (request: number) => Promise<T>): Promise<T>
  /** A bus that puts the number of the request, if any, on each event as `request`. */
  numbered(bus: EventBus): EventBus
}

/** Requests run side by side; the number follows each of them through its awaits. */
export function createRequestScope(): RequestScope {
  const current = new AsyncLocalStorage<number>()
  let count = 0
  return {
    run(work) {
      const request = ++count
      return current.run(request, work, request)
    },
    numbered: ({ publish, subscribe }) => ({
      subscribe,
      publish(event: NewEvent) {
        const request = event.request === undefined ? current.getStore() : undefined
        publish(request === undefined ? event : { ...event, request })
      },
    }),
  }
}
