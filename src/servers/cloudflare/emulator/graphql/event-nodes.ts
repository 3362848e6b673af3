import type { GraphQLResolveInfo, SelectionSetNode } from 'graphql'
import { GRAPHQL_ACTIONS } from '../../shapes.js'
import { parseTimestamp, timestamp } from '../../timestamp.js'
import type { LoggedEvent } from '../event-log.js'
import { KIND } from '../event-log.js'

/** The field of a zone that reads its security events. */
export const NODE = 'firewallEventsAdaptive'
export const MAX_LIMIT = 10_000

/** Age of the oldest events that can be requested, in seconds. */
export const MAX_AGE = 2_678_400

type Test = (logged: LoggedEvent) => boolean

/** The arguments of a node, unchecked. */
export type EventArguments = { readonly [name: string]: unknown }

/** Returns the refusal of an argument of a node. */
const wrongArgument = (node: string, why: string): GraphqlRefusal =>
  new GraphqlRefusal(400, `error parsing args for "${node}": ${why}`)

/** Comparisons by the ending of a filter's name, such as `neq` in `action_neq`. */
const comparisons: { readonly [ending: string]: (own: FieldValue, wanted: FieldValue) => boolean } = {
  '': (own, wanted) => own === wanted,
  neq: (own, wanted) => own !== wanted,
  gt: (own, wanted) => own > wanted,
  geq: (own, wanted) => own >= wanted,
  lt: (own, wanted) => own < wanted,
  leq: (own, wanted) => own <= wanted,
  like: (own, wanted) => like(String(own), String(wanted)),
  notlike: (own, wanted) => !like(String(own), String(wanted)),
}

/** True when a text matches a pattern, in which `%` stands for any text. */
function like(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('%')
  if (!text.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return text === first
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - at >= last.length && text.endsWith(last)
}

function valueOfFilter(
  field: string,
  value: unknown,
  now: number,
  oldest: boolean,
  node: string,
): FieldValue {
  if (field === 'datetime') {
    const at = typeof value === 'string' ? parseTimestamp(value) : undefined
    if (at === undefined) throw wrongArgument(node, `${JSON.stringify(value)} is not a time`)
    if (oldest && at < now - MAX_AGE * 1000) {
      throw new GraphqlRefusal(400, `cannot request data older than ${MAX_AGE}s`)
    }
    return at
  }
  if (typeof value === 'string' || typeof value === 'number') return value
  throw wrongArgument(node, `the filter ${field} takes a text or a number`)
}

function fieldTest(name: string, value: unknown, now: number, node: string): Test {
  const [, field = '', ending = ''] =
    /^(.*?)(?:_(neq|gt|geq|lt|leq|like|notlike|in|notin))?$/.exec(name) ?? []
  const read = eventField(field)
  if (read === undefined) throw wrongArgument(node, `filter field is not defined: ${name}`)
  const own = field === 'datetime' ? ({ at }: LoggedEvent) => at : read
  const wanted = (each: unknown) => valueOfFilter(field, each, now, ending === 'geq' || ending === 'gt', node)
  if (ending === 'in' || ending === 'notin') {
    if (!Array.isArray(value)) throw wrongArgument(node, `the filter ${name} takes a list`)
    const all = new Set(value.map(wanted))
    return logged => all.has(own(logged)) === (ending === 'in')
  }
  const compare = comparisons[ending]!
  const one = wanted(value)
  return logged => compare(own(logged), one)
}

/** Reads the filter of a node. @throws GraphqlRefusal */
function filterTest(filter: unknown, now: number, node: string, depth = 0): Test {
  if (filter === undefined || filter === null) return () => true
  if (typeof filter !== 'object' || Array.isArray(filter) || depth > 8) {
    throw wrongArgument(node, 'the filter is not an object')
  }
  const tests = Object.entries(filter).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    if (name !== 'AND' && name !== 'OR') return [fieldTest(name, value, now, node)]
    const parts = (Array.isArray(value) ? value : [value]).map(each => filterTest(each, now, node, depth + 1))
    return [
      name === 'AND'
        ? (logged: LoggedEvent) => parts.every(test => test(logged))
        : (logged: LoggedEvent) => parts.some(test => test(logged)),
    ]
  })
  return logged => tests.every(test => test(logged))
}

/** Reads the order of a node: names with a direction. @throws GraphqlRefusal */
function orderList(given: unknown, node: string): { readonly name: string; readonly sign: 1 | -1 }[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : given ? [given] : []
  return list.map(each => {
    const [, name, direction] = /^(\w+)_(ASC|DESC)$/.exec(String(each)) ?? []
    if (name === undefined) throw wrongArgument(node, `unknown order ${JSON.stringify(each)}`)
    return { name, sign: direction === 'DESC' ? -1 : 1 }
  })
}

function orderOf(given: unknown): (a: LoggedEvent, b: LoggedEvent) => number {
  const keys = orderList(given, NODE).map(({ name, sign }) => {
    const read = eventField(name)
    if (read === undefined) throw wrongArgument(NODE, `unknown order ${JSON.stringify(name)}`)
    return { read, sign }
  })
  return (a, b) => {
    for (const { read, sign } of keys) {
      const [left, right] = [read(a), read(b)]
      if (left !== right) return left < right ? -sign : sign
    }
    return 0
  }
}

/** Reads the limit of a node. @throws GraphqlRefusal */
function limitOf({ limit = MAX_LIMIT }: EventArguments): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new GraphqlRefusal(400, `limit must be positive number and not greater than ${MAX_LIMIT}`)
}

/**
 * Reads the arguments of `firewallEventsAdaptive`.
 * @throws GraphqlRefusal
 */
export function eventSelection(args: EventArguments, now: number) {
  const limit = limitOf(args)
  return { matches: filterTest(args.filter, now, NODE), compare: orderOf(args.orderBy), limit }
}

/** A value of an event in GraphQL. */
type FieldValue = string | number

/** The index at which the path of a URI ends. */
const pathEnd = (uri: string): number => (uri.includes('?') ? uri.indexOf('?') : uri.length)

/** The time of an event, rounded down to whole minutes. */
const rounded =
  (minutes: number) =>
  ({ at }: LoggedEvent): string =>
    timestamp(at - (at % (minutes * 60_000)))

/** The times of an event, exact and rounded down. Groups by time have these dimensions alone. */
export const timeFields: { readonly [name: string]: (logged: LoggedEvent) => FieldValue } = {
  date: ({ at }) => timestamp(at).slice(0, 10),
  datetime: ({ at }) => timestamp(at),
  datetimeFifteenMinutes: rounded(15),
  datetimeFiveMinutes: rounded(5),
  datetimeHour: rounded(60),
  datetimeMinute: rounded(1),
}

/** The actions that end a request at the edge. The client gets 403, and the origin nothing. */
const ENDING: readonly string[] = ['block', 'drop', 'challenge', 'jschallenge', 'managed_challenge']

const ends = ({ event }: LoggedEvent): boolean => ENDING.includes(event.action)

/** The fields of `firewallEventsAdaptive` that a lab has values for. */
export const eventFields: { readonly [name: string]: (logged: LoggedEvent) => FieldValue } = {
  action: ({ event }) => GRAPHQL_ACTIONS[event.action] ?? event.action,
  clientASNDescription: ({ event }) => `EXAMPLE-${event.asn}`,
  clientAsn: ({ event }) => String(event.asn),
  clientCountryName: ({ event }) => event.country,
  clientIP: ({ event }) => event.ip,
  clientIPClass: ({ event }) => event.ip_class,
  clientRequestHTTPHost: ({ event }) => event.host,
  clientRequestHTTPMethodName: ({ event }) => event.method,
  clientRequestHTTPProtocol: ({ event }) => event.proto,
  clientRequestPath: ({ event: { uri } }) => uri.slice(0, pathEnd(uri)),
  clientRequestQuery: ({ event: { uri } }) => uri.slice(pathEnd(uri)),
  clientRequestScheme: ({ event }) => event.scheme,
  ...timeFields,
  edgeResponseStatus: logged => (ends(logged) ? 403 : 200),
  edgeColoName: ({ event }) => event.colo,
  kind: () => KIND,
  matchIndex: () => 0,
  originResponseStatus: logged => (ends(logged) ? 0 : 200),
  rayName: ({ ray_id }) => ray_id,
  ruleId: ({ event }) => event.rule_id,
  sampleInterval: () => 1,
  source: ({ event }) => event.source.toLowerCase(),
  userAgent: ({ event }) => event.ua,
}

/** The reader of a field of an event; undefined when there is no such field. */
function eventField(name: string): ((logged: LoggedEvent) => FieldValue) | undefined {
  return Object.hasOwn(eventFields, name) ? eventFields[name] : undefined
}

/** The nodes that count events: by any field, and by time alone. */
export const GROUPS = 'firewallEventsAdaptiveGroups'
export const TIME_GROUPS = 'firewallEventsAdaptiveByTimeGroups'

/** A group of events with equal dimensions. */
export interface EventGroup {
  readonly count: number
  readonly avg: { readonly sampleInterval: number }
  readonly dimensions: Readonly<Record<string, FieldValue>>
}

/** True when a directive leaves a selection out. */
function isLeftOut(
  { directives = [] }: SelectionSetNode['selections'][number],
  variables: GraphQLResolveInfo['variableValues'],
): boolean {
  return directives.some(({ name, arguments: [condition] = [] }) => {
    const value = condition?.value
    const given =
      value?.kind === 'Variable' ? variables[value.name.value] : value?.kind === 'BooleanValue' && value.value
    return name.value === 'skip' ? given === true : name.value === 'include' && given !== true
  })
}

/** The selection sets of the fields with a name, through fragments. */
function* fieldsIn(
  { selections }: SelectionSetNode,
  info: GraphQLResolveInfo,
): Generator<readonly [name: string, below: SelectionSetNode | undefined]> {
  for (const each of selections) {
    if (isLeftOut(each, info.variableValues)) continue
    if (each.kind === 'Field') yield [each.name.value, each.selectionSet]
    else {
      const below =
        each.kind === 'InlineFragment' ? each.selectionSet : info.fragments[each.name.value]?.selectionSet
      if (below) yield* fieldsIn(below, info)
    }
  }
}

/** The names of the dimensions that a query selects of a node. The service groups by exactly these. */
function selectedDimensions(info: GraphQLResolveInfo): string[] {
  const names = new Set<string>()
  for (const { selectionSet } of info.fieldNodes) {
    for (const [name, below] of selectionSet ? fieldsIn(selectionSet, info) : []) {
      if (name !== 'dimensions' || below === undefined) continue
      for (const [dimension] of fieldsIn(below, info)) if (!dimension.startsWith('__')) names.add(dimension)
    }
  }
  return [...names]
}

type Key = (group: EventGroup) => FieldValue

function keyOf(name: string, dimensions: readonly string[], node: string): Key {
  if (name === 'count') return ({ count }) => count
  if (name === 'avg_sampleInterval') return ({ avg }) => avg.sampleInterval
  if (dimensions.includes(name)) return group => group.dimensions[name]!
  throw wrongArgument(node, `cannot order by ${JSON.stringify(name)}, which is not selected`)
}

/**
 * Counts events by the dimensions that a query selects.
 * @throws GraphqlRefusal
 */
export function eventGroups(
  events: readonly LoggedEvent[],
  args: EventArguments,
  info: GraphQLResolveInfo,
  now: number,
): EventGroup[] {
  const node = info.fieldName
  const dimensions = selectedDimensions(info)
  const limit = limitOf(args)
  const matches = filterTest(args.filter, now, node)
  const order = orderList(args.orderBy, node).map(({ name, sign }) => ({
    key: keyOf(name, dimensions, node),
    sign,
  }))
  const counts = new Map<string, { values: FieldValue[]; count: number }>()
  for (const event of events) {
    if (!matches(event)) continue
    const values = dimensions.map(name => eventField(name)!(event))
    const id = JSON.stringify(values)
    const known = counts.get(id)
    if (known) known.count++
    else counts.set(id, { values, count: 1 })
  }
  const groups = [...counts.values()].map(({ values, count }) => ({
    count,
    avg: { sampleInterval: 1 },
    dimensions: Object.fromEntries(dimensions.map((name, i) => [name, values[i]!])),
  }))
  const compare = (a: EventGroup, b: EventGroup): number => {
    for (const { key, sign } of order) {
      const [left, right] = [key(a), key(b)]
      if (left !== right) return left < right ? -sign : sign
    }
    return 0
  }
  return groups.sort(compare).slice(0, limit)
}

/** A refused query: the status, and the text that the service documents. */
export class GraphqlRefusal extends Error {
  override name = 'GraphqlRefusal'
  constructor(
    readonly status: number,
    message: string,
    /** The path of the refused field, from the root. */
    readonly path: readonly string[] | null = null,
  ) {
    super(message)
  }
}
