import type { EventLog, LoggedEvent } from '../security-events/event-log.js'
import type { ZoneState } from '../zones.js'
import type { AskedField } from './document.js'
import { eventSelection } from './event-arguments.js'
import { eventField } from './event-fields.js'
import { GraphqlRefusal } from './refusal.js'

/** What a query may reach. */
export interface Reachable {
  readonly zones: ReadonlyMap<string, ZoneState>
  readonly logOf: (zone: string) => EventLog | undefined
  readonly now: () => number
  /** Told what was read. */
  readonly read: (zone: string, count: number) => void
}

type Values = Record<string, unknown>
type Path = readonly string[]

const MAX_ZONES = 10
const MAX_NODES = 10

const unknownField = (name: string, path: Path) => new GraphqlRefusal(400, `unknown field "${name}"`, path)

/** The fields of an object that has some. */
function selectionOf({ fields }: AskedField, path: Path): readonly AskedField[] {
  if (fields === undefined) throw new GraphqlRefusal(400, 'object field must have selections', path)
  return fields
}

function leaf({ fields }: AskedField, path: Path): void {
  if (fields !== undefined) throw new GraphqlRefusal(400, 'scalar fields must have no selections', path)
}

function eventReaders(fields: readonly AskedField[], path: Path) {
  return fields.map(field => {
    const own = [...path, field.key]
    leaf(field, own)
    const read = field.name === '__typename' ? () => 'ZoneFirewallEventsAdaptive' : eventField(field.name)
    if (read === undefined) throw unknownField(field.name, own)
    return [field.key, read] as const
  })
}

async function events(field: AskedField, { zone }: ZoneState, at: Reachable, path: Path): Promise<Values[]> {
  const readers = eventReaders(selectionOf(field, path), path)
  const log: readonly LoggedEvent[] = (await at.logOf(zone.id)?.read()) ?? []
  const { matches, compare, limit } = eventSelection(field.args, at.now())
  const found = log.filter(matches).sort(compare).slice(0, limit)
  at.read(zone.name, found.length)
  return found.map(logged => Object.fromEntries(readers.map(([key, read]) => [key, read(logged)])))
}

async function zoneValues(field: AskedField, state: ZoneState, at: Reachable, path: Path): Promise<Values> {
  const values: Values = {}
  for (const each of selectionOf(field, path)) {
    const own = [...path, each.key]
    if (each.name === 'firewallEventsAdaptive') {
      values[each.key] = await events(each, state, at, own)
      continue
    }
    leaf(each, own)
    if (each.name === '__typename') values[each.key] = 'zone'
    else if (each.name === 'zoneTag') values[each.key] = state.zone.id
    else throw unknownField(each.name, own)
  }
  return values
}

/** `filter: {zoneTag: …}` or `{zoneTag_in: […]}`. */
function zonesOf({ args }: AskedField, { zones }: Reachable, path: Path): ZoneState[] {
  const filter = (typeof args.filter === 'object' && args.filter !== null ? args.filter : {}) as Values
  const list = Array.isArray(filter.zoneTag_in) ? filter.zoneTag_in : [filter.zoneTag]
  const tags = list.filter(tag => typeof tag === 'string')
  if (tags.length === 0 || tags.length !== list.length) {
    throw new GraphqlRefusal(400, 'error parsing args for "zones": the filter names no zoneTag', path)
  }
  if (tags.length > MAX_ZONES)
    throw new GraphqlRefusal(400, `cannot query more than ${MAX_ZONES} zones`, path)
  const unknown = tags.filter(tag => !zones.has(tag))
  if (unknown.length > 0) {
    const named = unknown.map(tag => JSON.stringify(tag.slice(0, 40))).join(', ')
    throw new GraphqlRefusal(403, `zones [${named}] are not authorized`, path)
  }
  return tags.map(tag => zones.get(tag)!)
}

async function viewerValues(field: AskedField, at: Reachable, path: Path): Promise<Values> {
  const values: Values = {}
  for (const each of selectionOf(field, path)) {
    const own = [...path, each.key]
    if (each.name === '__typename') {
      leaf(each, own)
      values[each.key] = 'viewer'
      continue
    }
    if (each.name !== 'zones') throw unknownField(each.name, own)
    const found: Values[] = []
    for (const [i, state] of zonesOf(each, at, own).entries()) {
      found.push(await zoneValues(each, state, at, [...own, String(i)]))
    }
    values[each.key] = found
  }
  return values
}

function nodes(fields: readonly AskedField[]): number {
  return fields.reduce(
    (sum, { name, fields: below = [] }) => sum + (name === 'firewallEventsAdaptive' ? 1 : nodes(below)),
    0,
  )
}

/**
 * The data of a query: `viewer { zones { firewallEventsAdaptive { … } } }`.
 * @throws GraphqlRefusal in the words that the service documents
 */
export async function resolve(fields: readonly AskedField[], at: Reachable): Promise<Values> {
  if (nodes(fields) > MAX_NODES) {
    throw new GraphqlRefusal(400, 'in combination, your request queries too many nodes, zones and accounts')
  }
  const values: Values = {}
  for (const field of fields) {
    if (field.name === '__typename') values[field.key] = 'Query'
    else if (field.name === 'viewer') values[field.key] = await viewerValues(field, at, [field.key])
    else throw unknownField(field.name, [field.key])
  }
  return values
}
