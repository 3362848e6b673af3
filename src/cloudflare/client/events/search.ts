import { setTimeout as delay } from 'node:timers/promises'
import type { Zone } from '../../shapes.js'
import type { Service } from '../service.js'
import type { ListedEvent } from './event.js'
import type { EventFilter } from './event-filter.js'
import { type EventApi, type FoundEvents, findEvents } from './event-source.js'
import { type Following, follow } from './follow.js'
import type { Period } from './period.js'

/** A search for the events of a zone. */
export interface EventSearch {
  readonly service: Service
  readonly api: EventApi
  /** The name is the identifier again when only that is known. */
  readonly zone: Pick<Zone, 'id' | 'name'>
  readonly filter: EventFilter
  readonly period: Period
  /** When the period was read, in milliseconds since the epoch, by the clock of the service. */
  readonly asOf: number
  /** Most events of one answer. */
  readonly limit: number
}

/** The end of a search: that of its period, else the time at which the period was read. */
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

/** GraphQL shows events up to a minute after they happened; the emulator and REST show them at once. Milliseconds. */
const LATE = { rest: 0, graphql: 60_000 } as const

/** Follows a search: first its events, then new ones, oldest first and none twice. The limit holds for the first answer only. */
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
