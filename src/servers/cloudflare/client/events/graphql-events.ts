import { isIPv4 } from 'node:net'
import { unreadable } from '../../../../client/json-answer.js'
import { isJsonObject, type JsonObject } from '../../../../protocol/values.js'
import { GRAPHQL_ACTIONS } from '../../shapes.js'
import { timestamp } from '../../timestamp.js'
import { ApiRefusal, errorsOf, permissionFor, type Service } from '../service.js'
import { fromGraphql, type ListedEvent, restAction, timeOfEvent } from './event.js'
import { type EventFilter, type EventQuery, filterTest } from './event-query.js'

const NODE = 'firewallEventsAdaptive'

/** The largest page. The body of more events could exceed the limit of the transport. */
const MAX_PAGE = 1500

/** The documented query, with every field that the REST form of an event needs. */
const QUERY = `query ListSecurityEvents($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject, $limit: Int) {
  viewer {
    zones(filter: { zoneTag: $zoneTag }) {
      ${NODE}(filter: $filter, limit: $limit, orderBy: [datetime_DESC, rayName_ASC]) {
        action clientCountryName clientIP clientIPClass clientRequestHTTPHost clientRequestHTTPMethodName
        clientRequestHTTPProtocol clientRequestPath clientRequestQuery clientRequestScheme datetime edgeColoName
        kind rayName ruleId source userAgent
      }
    }
  }
}`

/** Returns the REST names of actions, each once: GraphQL `log` and `simulate` are one action. */
const sameNames = (actions: readonly string[]): string[] => [...new Set(actions.map(restAction))]

/** Translates the actions of a filter to REST names, which the events of this module have. */
export const graphqlFilter = (filter: EventFilter): EventFilter =>
  filter.action === undefined ? filter : { ...filter, action: sameNames(filter.action) }

type Conditions = Readonly<Record<string, string | readonly string[]>>

/** Returns the conditions of a filter that the service can test. */
function conditions({ kind, source, action, country, host, ip }: EventFilter): Conditions {
  const named: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['kind', kind],
    ['source', source?.map(each => each.toLowerCase())],
    ['action', action && sameNames(action).map(each => GRAPHQL_ACTIONS[each] ?? each)],
    ['clientCountryName', country],
    ['clientRequestHTTPHost', host],
    // This program compares networks itself, and addresses that can be written in several ways.
    ['clientIP', ip?.every(each => isIPv4(each)) ? ip : undefined],
  ]
  return Object.fromEntries(
    named.flatMap(([field, values]) => {
      const [first, second] = values ?? []
      if (values === undefined || first === undefined) return []
      return [second === undefined ? [field, first] : [`${field}_in`, values]]
    }),
  )
}

const authorization = [
  `The token needs the permission ${permissionFor({ method: 'POST', path: '/graphql' })} for this zone.`,
]
const retention = ['The service keeps events for as long as its plan says: ask for a shorter --since.']

function hintsFor(status: number, message: string): readonly string[] {
  if (status === 401 || status === 403 || /not authorized|access to the path/.test(message))
    return authorization
  return /older than|time range/.test(message) ? retention : []
}

/** Returns the list of a node in an answer. An answer with status 200 may also carry errors. */
function readNodes(
  value: JsonObject,
  node: string,
  status: number,
  refuse: (errors: unknown) => Error,
  broken: Error,
): JsonObject[] {
  const errors = errorsOf(value.errors)
  if (errors.length > 0 || status < 200 || status >= 300) throw refuse(value.errors)
  const { data } = value
  const viewer = isJsonObject(data) ? data.viewer : undefined
  const zones = isJsonObject(viewer) ? viewer.zones : undefined
  const zone: unknown = Array.isArray(zones) ? zones[0] : undefined
  const nodes = isJsonObject(zone) ? zone[node] : undefined
  if (!Array.isArray(nodes)) throw broken
  return nodes.filter(isJsonObject)
}

/** Sends a query, and returns the list of one node of the first zone. @throws ApiRefusal, TransportError */
async function askNode(
  service: Service,
  query: string,
  variables: object,
  node: string,
): Promise<JsonObject[]> {
  const { value, exchange } = await service.object({
    method: 'POST',
    path: '/graphql',
    body: { query, variables },
  })
  const status = exchange.response?.status ?? 0
  const refuse = (given: unknown) => {
    const errors = errorsOf(given)
    const all = errors.length > 0 ? errors : [{ message: 'The service refused without a reason', chain: [] }]
    return new ApiRefusal(all, status, exchange, hintsFor(status, all[0]?.message ?? ''))
  }
  const broken = unreadable(
    `${service.access.base}/graphql answered with JSON that has no events in it (HTTP ${status})`,
    ['Is this the API?   --api rest asks in the other way'],
  )
  return readNodes(value, node, status, refuse, broken)
}

/**
 * Yields pages of security events over GraphQL, newest first. This API has no cursors: the next page starts at the second of the last
 * event, so an event can be on two pages.
 */
export async function* graphqlPages(
  service: Service,
  { zone, period, filter }: EventQuery,
  size: number,
): AsyncGenerator<ListedEvent[]> {
  const { since, until } = period
  const fixed = { datetime_geq: timestamp(since), ...conditions(filter) }
  let [to, limit] = [until, size]
  for (;;) {
    const bounds = to === undefined ? {} : { datetime_leq: timestamp(to) }
    const variables = { zoneTag: zone, filter: { ...fixed, ...bounds }, limit }
    const page = (await askNode(service, QUERY, variables, NODE)).map(fromGraphql)
    yield page
    if (page.length < limit) return
    const last = page.map(timeOfEvent).findLast(at => at !== undefined)
    if (last === undefined) return
    // A second with more events than a page needs a larger page. Events beyond the largest page are left out.
    if (last !== to) to = last
    else if (limit < MAX_PAGE) limit = Math.min(limit * 2, MAX_PAGE)
    else to = last - 1000
  }
}

const GROUPS_NODE = 'firewallEventsAdaptiveGroups'

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
      ${GROUPS_NODE}(filter: $filter, limit: $limit, orderBy: [count_DESC]) {
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
  const groups = await askNode(service, query, variables, GROUPS_NODE)
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
