import type { GraphQLResolveInfo, SelectionSetNode } from 'graphql'
import type { LoggedEvent } from '../security-events/event-log.js'
import { type EventArguments, filterTest, limitOf, orderList, wrongArgument } from './event-arguments.js'
import { eventField, type FieldValue } from './event-fields.js'

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
