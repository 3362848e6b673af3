import { timestamp } from '../../timestamp.js'
import type { Service } from '../service.js'
import { fromGraphql, type ListedEvent } from './event.js'
import { filterTest } from './event-filter.js'
import type { EventQuery } from './event-query.js'
import { askNode, conditions, graphqlFilter } from './graphql-events.js'

const NODE = 'firewallEventsAdaptiveGroups'

/** The most groups of an answer. */
const MAX_GROUPS = 10_000

/** The dimensions of each field of an event. */
const dimensions = {
  action: ['action'],
  source: ['source'],
  country: ['clientCountryName'],
  ip: ['clientIP'],
  host: ['clientRequestHTTPHost'],
  uri: ['clientRequestPath', 'clientRequestQuery'],
  ua: ['userAgent'],
  colo: ['edgeColoName'],
  ip_class: ['clientIPClass'],
  kind: ['kind'],
  method: ['clientRequestHTTPMethodName'],
  proto: ['clientRequestHTTPProtocol'],
  scheme: ['clientRequestScheme'],
  rule_id: ['ruleId'],
} as const

/** A field that the service can count by. */
export type GroupedField = keyof typeof dimensions

const HOUR = 3_600_000

/** Returns the dimension of time for a period. Its steps are shorter than a twelfth of the period. */
function timeDimension(length: number): string {
  if (length <= 2 * HOUR) return 'datetimeMinute'
  return length <= 24 * HOUR ? 'datetimeFiveMinutes' : 'datetimeHour'
}

const queryOf = (names: readonly string[]): string =>
  `query CountSecurityEvents($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject, $limit: Int) {
  viewer {
    zones(filter: { zoneTag: $zoneTag }) {
      ${NODE}(filter: $filter, limit: $limit, orderBy: [count_DESC]) {
        count
        dimensions { ${names.join(' ')} }
      }
    }
  }
}`

/**
 * Counts the events of a period by fields, at the service. An event of the result stands for as many as its `times` says, so the events
 * themselves are not transferred.
 * @param now the end of a period without one, in milliseconds since the epoch
 * @returns undefined when there are more groups than an answer holds
 * @throws ApiRefusal for a plan without this node; TransportError, TimeoutError
 */
export async function groupedEvents(
  service: Service,
  { zone, period, filter }: EventQuery,
  fields: readonly GroupedField[],
  now: number,
): Promise<readonly ListedEvent[] | undefined> {
  const { since, until } = period
  const wanted = graphqlFilter(filter)
  const filtered = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(name => wanted[name])
  const time = timeDimension((until ?? now) - since)
  // The action of an event shows if it was only logged, so every group has its action.
  const named = new Set<GroupedField>(['action', ...fields, ...filtered])
  const query = queryOf([time, ...[...named].flatMap(field => dimensions[field])])
  const bounds = {
    datetime_geq: timestamp(since),
    ...(until !== undefined && { datetime_leq: timestamp(until) }),
  }
  const variables = { zoneTag: zone, filter: { ...bounds, ...conditions(wanted) }, limit: MAX_GROUPS }
  const groups = await askNode(service, query, variables, NODE)
  if (groups.length >= MAX_GROUPS) return undefined
  const matches = filterTest(wanted)
  return groups.flatMap(({ count, dimensions: given }) => {
    if (typeof count !== 'number' || typeof given !== 'object' || given === null) return []
    const values = given as { readonly [name: string]: unknown }
    const start = Date.parse(String(values[time]))
    // A time that is rounded down may lie before the period.
    const datetime = Number.isNaN(start) ? '' : timestamp(Math.max(start, since))
    const event = { ...fromGraphql({ ...values, datetime }), times: count }
    return matches(event) ? [event] : []
  })
}
