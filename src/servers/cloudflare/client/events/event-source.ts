import type { UserError } from '../../../../protocol/errors.js'
import { isRealService } from '../access.js'
import type { Service } from '../service.js'
import { eventKeys, type ListedEvent } from './event.js'
import { type EventFilter, filterTest } from './event-filter.js'
import type { EventQuery } from './event-query.js'
import { graphqlFilter, graphqlPages } from './graphql-events.js'
import { restPages } from './rest-events.js'

/** The two APIs for events. */
export type EventApi = 'rest' | 'graphql'

/** Pages of events, newest first. A page may hold events that the query excludes. */
export type EventPages = (service: Service, query: EventQuery, size: number) => AsyncGenerator<ListedEvent[]>

const pagesOf: Readonly<Record<EventApi, EventPages>> = { rest: restPages, graphql: graphqlPages }

/** The most events of a page. The body stays well below the limit of the transport. */
const PAGE = 500

/** Returns the API to use. The real service has only GraphQL; other services have REST. */
export function eventApiOf(asked: EventApi | 'auto', base: string): EventApi {
  if (asked !== 'auto') return asked
  return isRealService(base) ? 'graphql' : 'rest'
}

/** True when the body of a page exceeded the limit of the transport. */
const tooLarge = (error: unknown): boolean =>
  (error as Partial<UserError & { code: string }>).code === 'EMSGSIZE'

/** The events of a search. */
export interface FoundEvents {
  /** The events, newest first, each once. */
  readonly events: readonly ListedEvent[]
  /** True when `limit` left older events out. */
  readonly more: boolean
}

async function collected(pages: AsyncGenerator<ListedEvent[]>, filter: EventFilter, limit: number) {
  const wanted = filterTest(filter)
  const events: ListedEvent[] = []
  const seen = new Set<string>()
  for await (const page of pages) {
    // New events during the search may move others from one page to the next.
    const keys = eventKeys(page)
    for (const [i, event] of page.entries()) {
      const key = keys[i]!
      if (!wanted(event) || (event.ray_id !== '' && seen.has(key))) continue
      seen.add(key)
      if (events.length === limit) return { events, more: true }
      events.push(event)
    }
  }
  return { events, more: false }
}

/**
 * Finds the newest events of a period. Both APIs give events of the same form.
 * @param limit the most events
 * @throws ApiRefusal, TransportError, TimeoutError, and the reason of an aborted signal
 */
export async function findEvents(
  service: Service,
  api: EventApi,
  query: EventQuery,
  limit: number,
): Promise<FoundEvents> {
  const wanted = api === 'graphql' ? { ...query, filter: graphqlFilter(query.filter) } : query
  // Attackers choose the length of their requests, so a page may exceed the limit. Smaller pages follow.
  for (let size = Math.min(PAGE, limit + 1); ; size = Math.ceil(size / 5)) {
    try {
      return await collected(pagesOf[api](service, wanted, size), wanted.filter, limit)
    } catch (error) {
      if (size === 1 || !tooLarge(error)) throw error
    }
  }
}
