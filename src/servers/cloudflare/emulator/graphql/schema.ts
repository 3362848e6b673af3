import type { GraphQLFieldMap, GraphQLObjectType, GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import type { EventLog, LoggedEvent } from '../event-log.js'
import { ACCOUNT, type ZoneState } from '../zones.js'
import {
  type EventArguments,
  type EventGroup,
  eventFields,
  eventGroups,
  eventSelection,
  GROUPS,
  GraphqlRefusal,
  MAX_AGE,
  MAX_LIMIT,
  NODE,
  TIME_GROUPS,
  timeFields,
} from './event-nodes.js'
import { ACCOUNT_TRAFFIC, TRAFFIC_TYPES, trafficFields, ZONE_TRAFFIC } from './traffic-nodes.js'

/** The data and the clock that a query reaches. */
export interface Reachable {
  readonly zones: ReadonlyMap<string, ZoneState>
  readonly logOf: (zone: string) => EventLog | undefined
  readonly now: () => number
  /** Called with the number of events that were read of a zone. */
  readonly read: (zone: string, count: number) => void
}

const MAX_ZONES = 10

const fieldList = (fields: object): string =>
  Object.keys(fields)
    .map(name => `${name}: string`)
    .join('\n    ')

/**
 * The part of the service's schema that the lab has. Filters are scalars, so that `eventSelection` checks them and
 * refuses them with the service's text. Some types exist for the variables that clients declare.
 */
const DOCUMENT = `
  scalar Int
  scalar Float
  scalar ID
  scalar string
  scalar uint64
  scalar Time
  scalar ZoneFilter_InputObject
  scalar FirewallEventsAdaptiveFilter_InputObject
  scalar ZoneFirewallEventsAdaptiveFilter_InputObject
  scalar ZoneFirewallEventsAdaptiveOrderBy
  scalar AccountFilter_InputObject
  ${TRAFFIC_TYPES}

  type Query {
    viewer: viewer
  }
  type viewer {
    zones(filter: ZoneFilter_InputObject): [zone!]
    accounts(filter: AccountFilter_InputObject): [account!]
  }
  type account {
    accountTag: string
    ${trafficFields(ACCOUNT_TRAFFIC)}
  }
  type zone {
    zoneTag: string
    ${NODE}(
      filter: FirewallEventsAdaptiveFilter_InputObject
      limit: uint64
      orderBy: [ZoneFirewallEventsAdaptiveOrderBy!]
    ): [ZoneFirewallEventsAdaptive!]
    ${[GROUPS, TIME_GROUPS]
      .map(
        name => `${name}(
      filter: FirewallEventsAdaptiveFilter_InputObject
      limit: uint64
      orderBy: [ZoneFirewallEventsAdaptiveOrderBy!]
    ): [Zone${name[0]!.toUpperCase()}${name.slice(1)}!]`,
      )
      .join('\n    ')}
    settings: ZoneSettings
    ${trafficFields(ZONE_TRAFFIC)}
  }
  type ZoneSettings {
    ${[NODE, GROUPS, TIME_GROUPS, ...Object.keys(ZONE_TRAFFIC)].map(name => `${name}: NodeSettings`).join('\n    ')}
  }
  type NodeSettings {
    enabled: Boolean
    maxDuration: uint64
    maxNumberOfFields: uint64
    maxPageSize: uint64
    notOlderThan: uint64
    availableFields: [string!]
  }
  type SampleAverage {
    sampleInterval: uint64
  }
  type ZoneFirewallEventsAdaptiveGroups {
    count: uint64
    avg: SampleAverage
    dimensions: EventDimensions
  }
  type ZoneFirewallEventsAdaptiveByTimeGroups {
    count: uint64
    avg: SampleAverage
    dimensions: EventTimes
  }
  type EventDimensions {
    ${fieldList(eventFields)}
  }
  type EventTimes {
    ${fieldList(timeFields)}
  }
  type ZoneFirewallEventsAdaptive {
    ${fieldList(eventFields)}
  }
`

/** Reads `filter: {zoneTag: …}` or `{zoneTag_in: […]}`. */
function zonesOf({ filter }: EventArguments, { zones }: Reachable): ZoneState[] {
  const given = (typeof filter === 'object' && filter !== null ? filter : {}) as EventArguments
  const list = Array.isArray(given.zoneTag_in) ? given.zoneTag_in : [given.zoneTag]
  const tags = list.filter(tag => typeof tag === 'string')
  if (tags.length === 0 || tags.length !== list.length) {
    throw new GraphqlRefusal(400, 'error parsing args for "zones": the filter names no zoneTag')
  }
  if (tags.length > MAX_ZONES) {
    throw new GraphqlRefusal(400, `cannot query more than ${MAX_ZONES} zones`)
  }
  const unknown = tags.filter(tag => !zones.has(tag))
  if (unknown.length > 0) {
    const named = unknown.map(tag => JSON.stringify(tag.slice(0, 40))).join(', ')
    throw new GraphqlRefusal(403, `zones [${named}] are not authorized`)
  }
  return tags.map(tag => zones.get(tag)!)
}

async function eventsOf({ zone }: ZoneState, args: EventArguments, at: Reachable): Promise<LoggedEvent[]> {
  const log: readonly LoggedEvent[] = (await at.logOf(zone.id)?.read()) ?? []
  const { matches, compare, limit } = eventSelection(args, at.now())
  const events = log.filter(matches).sort(compare).slice(0, limit)
  at.read(zone.name, events.length)
  return events
}

async function groupsOf(
  { zone }: ZoneState,
  args: EventArguments,
  at: Reachable,
  info: GraphQLResolveInfo,
): Promise<EventGroup[]> {
  const log: readonly LoggedEvent[] = (await at.logOf(zone.id)?.read()) ?? []
  const groups = eventGroups(log, args, info, at.now())
  at.read(
    zone.name,
    groups.reduce((sum, { count }) => sum + count, 0),
  )
  return groups
}

/** Reads `filter: {accountTag: …}`. */
function accountsOf({ filter }: EventArguments): readonly { readonly accountTag: string }[] {
  const { accountTag } = (typeof filter === 'object' && filter !== null ? filter : {}) as EventArguments
  if (accountTag === ACCOUNT.id) return [{ accountTag }]
  const named = typeof accountTag === 'string' ? JSON.stringify(accountTag.slice(0, 40)) : ''
  throw new GraphqlRefusal(403, `accounts [${named}] are not authorized`)
}

/** The limits of the nodes of a zone, as the service reports them. */
function settingsOf(): object {
  const limits = {
    maxDuration: MAX_AGE,
    maxNumberOfFields: 30,
    maxPageSize: MAX_LIMIT,
    notOlderThan: MAX_AGE,
  }
  const node = (availableFields: readonly string[], enabled = true) => ({
    enabled,
    ...limits,
    availableFields,
  })
  const grouped = (fields: object) => [
    ...['count', 'avg_sampleInterval'],
    ...Object.keys(fields).map(name => `dimensions_${name}`),
  ]
  return {
    [NODE]: node(Object.keys(eventFields)),
    [GROUPS]: node(grouped(eventFields)),
    [TIME_GROUPS]: node(grouped(timeFields)),
    ...Object.fromEntries(Object.keys(ZONE_TRAFFIC).map(name => [name, node([], false)])),
  }
}

/** Makes the schema with its resolvers. A query runs with a `Reachable` as its context. */
export function makeSchema(buildSchema: (document: string) => GraphQLSchema): GraphQLSchema {
  const schema = buildSchema(DOCUMENT)
  const fieldsOf = (name: string): GraphQLFieldMap<never, Reachable> =>
    (schema.getType(name) as GraphQLObjectType<never, Reachable>).getFields()
  const { viewer } = fieldsOf('Query')
  const { zones, accounts } = fieldsOf('viewer')
  const { zoneTag, settings, [NODE]: events, [GROUPS]: groups, [TIME_GROUPS]: timeGroups } = fieldsOf('zone')
  viewer!.resolve = () => ({})
  zones!.resolve = (_, args, at) => zonesOf(args, at)
  accounts!.resolve = (_, args) => accountsOf(args)
  zoneTag!.resolve = ({ zone }: ZoneState) => zone.id
  settings!.resolve = settingsOf
  events!.resolve = (state: ZoneState, args, at) => eventsOf(state, args, at)
  for (const each of [groups!, timeGroups!]) {
    each.resolve = (state: ZoneState, args, at, info) => groupsOf(state, args, at, info)
  }
  for (const name of Object.keys(ZONE_TRAFFIC)) fieldsOf('zone')[name]!.resolve = () => []
  for (const name of Object.keys(ACCOUNT_TRAFFIC)) fieldsOf('account')[name]!.resolve = () => []
  for (const [name, field] of Object.entries(fieldsOf('ZoneFirewallEventsAdaptive'))) {
    field.resolve = (logged: LoggedEvent) => eventFields[name]!(logged)
  }
  return schema
}
