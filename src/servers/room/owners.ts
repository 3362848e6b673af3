import type { EventBus, LabEvent } from '../../protocol/events.js'
import { createRecentEvents, type RecentEvents } from '../../protocol/recent-events.js'

/** Receives an event of the lab, and the participant whose request caused it; undefined: nobody's, for the teacher alone. */
export type LabListener = (event: LabEvent, who: string | undefined) => void

/** The events of a room's lab, each with its participant, such as `K7-03`. */
export interface LabFeed {
  /** @returns the end of it */
  subscribe(listener: LabListener): () => void
}

/** An event and the participant whose request caused it. */
type Owned = readonly [event: LabEvent, who: string | undefined]

/** Requests that are remembered, and events of one request that wait until a participant is known. */
const MAX_REQUESTS = 2_000
const MAX_WAITING = 100

/** Runs of the doctor, of moves and of attacks that are remembered. */
const MAX_RUNS = 1_000

/** The members of an event that name a client, a user or an account. */
const NAMING = ['client_id', 'username', 'sub', 'by'] as const

/** A request, with those that it caused. */
interface Request {
  readonly id: number
  /** Undefined until a participant is known; null for requests that name several participants. */
  who: string | null | undefined
  waiting: LabEvent[]
}

/** The account that a name stands for: a service account stands for its namespace. */
const accountIn = (name: string): string => /^system:serviceaccount:([^:]+):/.exec(name)?.[1] ?? name

/** The participants whom an event names. */
function namedIn(event: LabEvent, seatOf: (account: string) => string | undefined): ReadonlySet<string> {
  const named = new Set<string>()
  for (const member of NAMING) {
    const name = event[member]
    const who = typeof name === 'string' ? seatOf(accountIn(name)) : undefined
    if (who !== undefined) named.add(who)
  }
  return named
}

/** Drops the oldest entries beyond a limit. @returns their values */
function dropOldest<Value>(map: Map<unknown, Value>, limit: number): Value[] {
  const dropped: Value[] = []
  for (const [key, value] of map) {
    if (map.size <= limit) break
    map.delete(key)
    dropped.push(value)
  }
  return dropped
}

/**
 * Makes the fold that finds the participant of each event. All events of a request belong together, with those of the requests that it caused. The
 * participant is the one whose client, user, cluster account or DNS token the request names. A request that names none belongs to the participant of its
 * run. A request that names several participants belongs to nobody, so that no participant sees what another one did.
 * @param seatOf returns the participant of an account
 * @returns a function that takes the next event, and returns the events that are decided by it, in their order
 */
export function ownerFold(
  seatOf: (account: string) => string | undefined,
): (event: LabEvent) => readonly Owned[] {
  const requests = new Map<number, Request>()
  const runs = new Map<string, string>()

  function requestOf(id: number, cause = id): Request {
    const request = requests.get(id) ?? requests.get(cause) ?? { id: cause, who: undefined, waiting: [] }
    requests.set(cause, request)
    requests.set(id, request)
    return request
  }

  /** Ends the wait of a request. */
  function released(request: Request): Owned[] {
    const { waiting, who } = request
    request.waiting = []
    return waiting.map(event => [event, who ?? undefined])
  }

  return event => {
    const { request: id, cause, run, type } = event
    if (id === undefined) {
      const named = namedIn(event, seatOf)
      return [[event, named.size === 1 ? [...named][0] : undefined]]
    }
    const request = requestOf(id, cause)
    for (const who of namedIn(event, seatOf)) {
      request.who = request.who === undefined || request.who === who ? who : null
    }
    const isEnd = type === 'request.answered' && request.id === id
    if (isEnd && typeof run === 'string') {
      if (request.who === undefined) request.who = runs.get(run)
      else if (request.who !== null && !runs.has(run)) runs.set(run, request.who)
      dropOldest(runs, MAX_RUNS)
    }
    request.waiting.push(event)
    const late = dropOldest(requests, MAX_REQUESTS).flatMap(each => (each === request ? [] : released(each)))
    const isDecided = request.who !== undefined || isEnd || request.waiting.length >= MAX_WAITING
    return isDecided ? [...late, ...released(request)] : late
  }
}

/** Finds the participant of each event of a lab, once for all who listen. */
export function labFeed(
  events: Pick<EventBus, 'subscribe'>,
  seatOf: (account: string) => string | undefined,
): LabFeed {
  const fold = ownerFold(seatOf)
  let listeners: readonly LabListener[] = []
  events.subscribe(event => {
    for (const [each, who] of fold(event)) for (const listener of listeners) listener(each, who)
  })
  return {
    subscribe(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter(each => each !== listener)
      }
    },
  }
}

/**
 * Keeps the latest events of each participant, also while nobody follows them. Those of nobody are the teacher's alone.
 * @param before the number before the first event of each, as `createRecentEvents`
 * @returns the events of a participant
 */
export function ownEvents(feed: LabFeed, before: number): (who: string) => RecentEvents {
  const people = new Map<string, ReturnType<typeof createRecentEvents>>()
  function eventsOf(who: string) {
    const events = people.get(who) ?? createRecentEvents(before)
    people.set(who, events)
    return events
  }
  feed.subscribe((event, who) => {
    if (who !== undefined) eventsOf(who).take(event)
  })
  return eventsOf
}
