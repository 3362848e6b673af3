import { setTimeout as delay } from 'node:timers/promises'
import type { Zone } from '../../shapes.js'
import { ApiRefusal } from '../dns-client-errors.js'
import type { Service } from '../service.js'
import type { ListedEvent } from './event.js'
import type { EventFilter } from './event-filter.js'
import { type EventApi, type FoundEvents, findEvents } from './event-source.js'
import { type Following, follow } from './follow.js'
import { type GroupedField, groupedEvents } from './graphql-groups.js'
import type { Period } from './period.js'

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
