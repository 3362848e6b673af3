import type { GraphQLFieldMap, GraphQLObjectType, GraphQLSchema } from 'graphql'
import type { EventLog, LoggedEvent } from '../security-events/event-log.js'
import type { ZoneState } from '../zones.js'
import { eventSelection, NODE } from './event-arguments.js'
import { eventFields } from './event-fields.js'
import { GraphqlRefusal } from './refusal.js'

/** The data and the clock that a query reaches. */
export interface Reachable {
  readonly zones: ReadonlyMap<string, ZoneState>
  readonly logOf: (zone: string) => EventLog | undefined
  readonly now: () => number
  /** Called with the number of events that were read of a zone. */
  readonly read: (zone: string, count: number) => void
}

const MAX_ZONES = 10

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

  type Query {
    viewer: viewer
  }
  type viewer {
    zones(filter: ZoneFilter_InputObject): [zone!]
  }
  type zone {
    zoneTag: string
    ${NODE}(
      filter: FirewallEventsAdaptiveFilter_InputObject
      limit: uint64
      orderBy: [ZoneFirewallEventsAdaptiveOrderBy!]
    ): [ZoneFirewallEventsAdaptive!]
  }
  type ZoneFirewallEventsAdaptive {
    ${Object.keys(eventFields)
      .map(name => `${name}: string`)
      .join('\n    ')}
  }
`

type Arguments = { readonly [name: string]: unknown }

/** Reads `filter: {zoneTag: …}` or `{zoneTag_in: […]}`. */
function zonesOf({ filter }: Arguments, { zones }: Reachable): ZoneState[] {
  const given = (typeof filter === 'object' && filter !== null ? filter : {}) as Arguments
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

async function eventsOf({ zone }: ZoneState, args: Arguments, at: Reachable): Promise<LoggedEvent[]> {
  const log: readonly LoggedEvent[] = (await at.logOf(zone.id)?.read()) ?? []
  const { matches, compare, limit } = eventSelection(args, at.now())
  const events = log.filter(matches).sort(compare).slice(0, limit)
  at.read(zone.name, events.length)
  return events
}

/** Makes the schema with its resolvers. A query runs with a `Reachable` as its context. */
export function makeSchema(buildSchema: (document: string) => GraphQLSchema): GraphQLSchema {
  const schema = buildSchema(DOCUMENT)
  const fieldsOf = (name: string): GraphQLFieldMap<never, Reachable> =>
    (schema.getType(name) as GraphQLObjectType<never, Reachable>).getFields()
  const { viewer } = fieldsOf('Query')
  const { zones } = fieldsOf('viewer')
  const { zoneTag, [NODE]: events } = fieldsOf('zone')
  viewer!.resolve = () => ({})
  zones!.resolve = (_, args, at) => zonesOf(args, at)
  zoneTag!.resolve = ({ zone }: ZoneState) => zone.id
  events!.resolve = (state: ZoneState, args, at) => eventsOf(state, args, at)
  for (const [name, field] of Object.entries(fieldsOf('ZoneFirewallEventsAdaptive'))) {
    field.resolve = (logged: LoggedEvent) => eventFields[name]!(logged)
  }
  return schema
}
