import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '../../../../protocol/errors.js'
import type { Zone } from '../../shapes.js'
import { ApiRefusal, type Service } from '../service.js'
import { eventKeys, type ListedEvent, timeOfEvent } from './event.js'
import type { EventFilter, Period } from './event-query.js'
import { type EventApi, type FoundEvents, findEvents } from './event-source.js'
import { type GroupedField, groupedEvents } from './graphql-events.js'

/** A search for the events of a zone. */
export interface EventSearch {
  readonly service: Service
  readonly api: EventApi
  /** The zone. Its name equals its identifier when the name is unknown. */
  readonly zone: Pick<Zone, 'id' | 'name'>
  readonly filter: EventFilter
  readonly period: Period
  /** The time at which the period was read, in milliseconds since the epoch, by the clock of the service. */
  readonly asOf: number
  /** The most events of one answer. */
  readonly limit: number
}

/** Returns the end of a search: the end of its period, else the time at which the period was read. */
export const endOf = ({ period, asOf }: Pick<EventSearch, 'period' | 'asOf'>): number => period.until ?? asOf

/** Finds the events of a search, newest first. */
export function searchEvents({
  service,
  api,
  zone,
  filter,
  period,
  limit,
}: EventSearch): Promise<FoundEvents> {
  return findEvents(service, api, { zone: zone.id, period, filter }, limit)
}

/**
 * Counts the events of a search by fields at the service, where that is possible: over GraphQL, and with a plan that has groups.
 * @returns undefined where the events have to be found one by one
 * @throws TransportError, TimeoutError; ApiRefusal for a spent budget
 */
export async function countAtService(
  { service, api, zone, filter, period, asOf }: EventSearch,
  fields: readonly GroupedField[],
): Promise<readonly ListedEvent[] | undefined> {
  if (api !== 'graphql') return undefined
  try {
    return await groupedEvents(service, { zone: zone.id, period, filter }, fields, asOf)
  } catch (error) {
    if (error instanceof ApiRefusal && error.status !== 429) return undefined
    throw error
  }
}

/** The delay until events appear, in milliseconds. GraphQL takes up to a minute; the emulator and REST take none. */
const LATE = { rest: 0, graphql: 60_000 } as const

/** Yields the events of a search and then new events, oldest first, each once. The limit applies to the first answer only. */
export function followEvents(
  search: EventSearch,
  { signal, ...ports }: Pick<Following, 'interval' | 'troubled' | 'recovered'> & { signal: AbortSignal },
): AsyncGenerator<readonly ListedEvent[]> {
  let { limit } = search
  return follow(search.period, {
    ...ports,
    find: period => {
      const asked = searchEvents({ ...search, period, limit })
      limit = Number.MAX_SAFE_INTEGER
      return asked
    },
    late: LATE[search.api],
    pause: ms => delay(ms, undefined, { signal }),
  })
}

/** The ports of following. */
export interface Following {
  /** Finds the events of a period, newest first. */
  readonly find: (period: Period) => Promise<FoundEvents>
  /** Milliseconds between two searches. */
  readonly interval: number
  /** The longest delay until an event appears, in milliseconds. */
  readonly late: number
  readonly pause: (ms: number) => Promise<void>
  /** Called with a temporary error and the wait after it, in milliseconds. */
  readonly troubled: (error: UserError, wait: number) => void
  /** Called when a search succeeds again. */
  readonly recovered: () => void
}

/** The number of failures in a row that ends following. */
const MOST_FAILURES = 5

/** Longest wait after a failure, in milliseconds. */
const LONGEST_WAIT = 300_000

/** True for an error that may be temporary: too many requests, a failing service, a broken connection. */
function passes(error: unknown): error is UserError {
  if (error instanceof ApiRefusal) return error.status === 429 || error.status >= 500
  return error instanceof UserError && ['TransportError', 'TimeoutError'].includes(error.name)
}

/**
 * Yields the events of a period, or an empty list, and then new ones, oldest first and each once. Ends when `pause` or `find` rejects.
 * @throws what `find` throws; after the first answer, a passing error only when it comes several times in a row
 */
export async function* follow(first: Period, ports: Following): AsyncGenerator<readonly ListedEvent[]> {
  const { find, interval, late, pause, troubled, recovered } = ports
  const seen = new Map<string, number>()
  let { since } = first
  let newest = since
  let failures = 0
  let asked = false
  for (;;) {
    let found: FoundEvents
    try {
      found = await find({ since })
      if (failures > 0) recovered()
      failures = 0
    } catch (error) {
      failures++
      // The service may not exist when it never answered, so its first error is final.
      if (!asked || !passes(error) || failures >= MOST_FAILURES) throw error
      const wait = Math.min(interval * 2 ** failures, LONGEST_WAIT)
      troubled(error, wait)
      await pause(wait)
      continue
    }
    const keys = eventKeys(found.events)
    const fresh = found.events.filter((_, i) => !seen.has(keys[i]!)).reverse()
    for (const [i, event] of found.events.entries()) {
      const at = timeOfEvent(event)
      seen.set(keys[i]!, at ?? Number.POSITIVE_INFINITY)
      newest = Math.max(newest, at ?? newest)
    }
    // Times are whole seconds, so the last second is searched again. Events that may appear late are searched again too.
    since = Math.max(first.since, newest - late)
    for (const [key, at] of seen) if (at < since - 1000) seen.delete(key)
    if (fresh.length > 0 || !asked) yield fresh
    asked = true
    await pause(interval)
  }
}
