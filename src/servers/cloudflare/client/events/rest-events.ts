import { unreadable } from '../../../../client/json-answer.js'
import { isJsonObject } from '../../../../protocol/values.js'
import { timestamp } from '../../timestamp.js'
import type { Query } from '../requests.js'
import type { Service } from '../service.js'
import { fromRest, type ListedEvent } from './event.js'
import type { EventQuery } from './event-query.js'

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
export async function* restPages(
  service: Service,
  query: EventQuery,
  size: number,
): AsyncGenerator<ListedEvent[]> {
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
