import type { LabEvent } from '../../protocol/events.js'
import type { LabFeed } from './owners.js'

/** Events of one participant that are kept for a connection that was lost, and participants. */
const MAX_KEPT = 100
const MAX_PEOPLE = 500

/** An event with its place among all of one participant, from 1. */
interface NumberedEvent {
  readonly number: number
  readonly event: LabEvent
}

/** The events of one participant. */
interface OwnEvents {
  latest: number
  kept: NumberedEvent[]
  readonly listeners: Set<(event: NumberedEvent) => void>
}

/** The events of each participant's own requests. */
export interface LabEvents {
  /**
   * Calls the listener with the kept events after a number, then with new ones.
   * @param last left out: new events alone. A number of an earlier run of the teacher's program: all that are kept
   * @returns the end of it
   */
  follow(who: string, last: number | undefined, listener: (event: NumberedEvent) => void): () => void
}

/** Keeps the latest events of each participant. Those of nobody are the teacher’s alone. @param first larger than the numbers of an earlier run */
export function labEvents(feed: LabFeed, first: number): LabEvents {
  const people = new Map<string, OwnEvents>()

  function eventsOf(who: string): OwnEvents {
    const known = people.get(who) ?? { latest: first, kept: [], listeners: new Set() }
    if (people.size < MAX_PEOPLE) people.set(who, known)
    return known
  }

  feed.subscribe((event, who) => {
    if (who === undefined) return
    const own = eventsOf(who)
    own.latest += 1
    const numbered = { number: own.latest, event }
    own.kept = [...own.kept, numbered].slice(-MAX_KEPT)
    for (const listener of own.listeners) listener(numbered)
  })

  return {
    follow(who, last, listener) {
      const own = eventsOf(who)
      for (const each of own.kept) {
        if (last !== undefined && (last > own.latest || each.number > last)) listener(each)
      }
      own.listeners.add(listener)
      return () => own.listeners.delete(listener)
    },
  }
}
