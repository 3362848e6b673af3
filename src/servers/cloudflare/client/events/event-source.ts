import { unreadable } from '../../../../client/json-answer.js'
import type { UserError } from '../../../../protocol/errors.js'
import { isJsonObject } from '../../../../protocol/values.js'
import { timestamp } from '../../timestamp.js'
import { isRealService, type Query, type Service } from '../service.js'
import { eventKeys, fromRest, type ListedEvent } from './event.js'
import { type EventFilter, type EventQuery, filterTest } from './event-query.js'
import { graphqlFilter, graphqlPages } from './graphql-events.js'

/** The two APIs for events. */
export type EventApi = 'rest' | 'graphql'

/** Pages of events, newest first. A page may hold events that the query excludes. */
type EventPages = (service: Service, query: EventQuery, size: number) => AsyncGenerator<ListedEvent[]>

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

/** The most pages of one search. */
const MAX_PAGES = 10_000

/** Returns the filters that the service compares as this program does: one value, and not a network. */
function exactFilters({ filter }: EventQuery): Query {
  const fields = (['kind', 'source', 'action', 'country', 'host'] as const).flatMap(name => {
    const [first, second] = filter[name] ?? []
    return first === undefined || second !== undefined ? [] : [[name, first] as const]
  })
  return Object.fromEntries(fields)
}

/**
 * Yields pages of security events over REST, newest first, until the cursor is empty. The real service had this API before GraphQL.
 */
async function* restPages(service: Service, query: EventQuery, size: number): AsyncGenerator<ListedEvent[]> {
  const path = `/zones/${query.zone}/security/events`
  const { since, until } = query.period
  const asked = {
    since: timestamp(since),
    ...(until !== undefined && { until: timestamp(until) }),
    ...exactFilters(query),
    limit: size,
  }
  const seen = new Set<string>()
  let cursor: string | undefined
  while (seen.size < MAX_PAGES) {
    const { result, info } = await service.request<unknown>({
      method: 'GET',
      path,
      query: { ...asked, cursor },
    })
    if (!Array.isArray(result)) throw unreadable(`${service.access.base}${path} answered with no list`)
    yield result.filter(isJsonObject).map(fromRest)
    const after = info.cursors?.after
    if (typeof after !== 'string' || after === '' || result.length === 0) return
    if (seen.has(after)) break
    seen.add(after)
    cursor = after
  }
  throw unreadable(`${service.access.base}${path} has no last page`)
}
