import type { LabOwnEvent } from '../../lab/lab-events.js'
import type { EVENTS } from '../../protocol/event-catalogue.js'
import type { EventBus, LabStamp, RequestStamp } from '../../protocol/events.js'
import type { AuthorizationServerEvent } from '../../servers/authorization-server/events.js'
import type { EmulatorEvent } from '../../servers/cloudflare/emulator/events.js'
import type { DemoClientEvent } from '../../servers/demo-client/events.js'
import type { ClusterEvent } from '../../servers/kubernetes/emulator/events.js'
import type { ResourceServerEvent } from '../../servers/resource-server/events.js'

/**
 * Everything that happens on a lab (docs/reference/events.md). `at` is ISO 8601 UTC, by the clock of the lab. `request` names
 * the request that caused the event, `cause` the request that caused that request.
 */
export type LabEvent = (
  | AuthorizationServerEvent
  | ResourceServerEvent
  | ClusterEvent
  | EmulatorEvent
  | DemoClientEvent
  | LabOwnEvent
) & { readonly at: string } & RequestStamp &
  LabStamp

/** The name of an event, such as `code.issued`. */
export type EventType = LabEvent['type']

/** The names of the catalogue. A row without an event does not compile here, an event without a row below. */
type Catalogued<Names extends EventType = keyof typeof EVENTS> = Names

type Named<Event extends { readonly type: Catalogued }, Type> = Event extends { readonly type: infer Known }
  ? Type extends Known
    ? Event & { readonly type: Type }
    : never
  : never

/** The event of that name. */
export type EventOf<Type extends EventType> = Named<LabEvent, Type>

/** The events of a lab, live and past. */
export interface LabEvents extends AsyncIterable<LabEvent> {
  /**
   * Calls the listener at every event of that name, `*` for all of them.
   * @returns the function that ends it
   */
  on<Type extends EventType>(type: Type, listener: (event: EventOf<Type>) => void): () => void
  on(type: '*', listener: (event: LabEvent) => void): () => void
  /** The next event of that name. Rejects when the lab is stopped before it comes. */
  next<Type extends EventType>(type: Type): Promise<EventOf<Type>>
  /** The past events, oldest first; the last ten thousand are kept. */
  past(): readonly LabEvent[]
  past<Type extends EventType>(type: Type): readonly EventOf<Type>[]
}

/** Number of events that are kept, and that may wait for a slow reader. */
const MAX_KEPT = 10_000

/** A listener that throws is a mistake of the test, and no business of the server that published. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}

/** @returns the events, and the function that ends everybody's waiting for them */
export function labEvents(bus: EventBus): { readonly events: LabEvents; readonly end: () => void } {
  const kept: LabEvent[] = []
  const ends = new Set<() => void>()
  let ended = false

  bus.subscribe(event => {
    kept.push(event as unknown as LabEvent)
    if (kept.length > MAX_KEPT) kept.shift()
  })

  const on = (type: string, listener: (event: never) => void): (() => void) =>
    bus.subscribe(event => {
      if (type !== '*' && event.type !== type) return
      try {
        listener(event as never)
      } catch (error) {
        throwLater(error)
      }
    })

  const next = (type: string): Promise<never> => {
    const happened = new Promise<never>((resolve, reject) => {
      const gone = () => reject(new Error(`the lab was stopped before ${type} happened`))
      if (ended) return gone()
      const off = on(type, event => {
        off()
        ends.delete(gone)
        resolve(event)
      })
      ends.add(gone)
    })
    // Who no longer waits is not to be ended by it.
    happened.catch(() => {})
    return happened
  }

  const past = (type?: string): readonly never[] =>
    kept.filter(event => type === undefined || event.type === type) as never[]

  const iterate = (): AsyncIterator<LabEvent> => {
    const waiting: LabEvent[] = []
    let wake: (() => void) | undefined
    let over = ended
    const off = on('*', (event: LabEvent) => {
      waiting.push(event)
      if (waiting.length > MAX_KEPT) waiting.shift()
      wake?.()
    })
    const finish = () => {
      over = true
      off()
      ends.delete(finish)
      wake?.()
    }
    ends.add(finish)
    return {
      async next() {
        while (waiting.length === 0 && !over) {
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
        const value = waiting.shift()
        return value === undefined ? { done: true, value } : { done: false, value }
      },
      async return() {
        waiting.length = 0
        finish()
        return { done: true, value: undefined }
      },
    }
  }

  const end = () => {
    ended = true
    for (const each of [...ends]) each()
    ends.clear()
  }
  return { events: { on, next, past, [Symbol.asyncIterator]: iterate }, end }
}
