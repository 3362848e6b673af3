import { parseTimestamp } from '../../timestamp.js'
import type { LoggedEvent } from '../security-events/event-log.js'
import { eventField, type FieldValue } from './event-fields.js'
import { GraphqlRefusal } from './refusal.js'

/** A selection of events: a condition, an order and a limit. */
export interface EventSelection {
  readonly matches: (logged: LoggedEvent) => boolean
  readonly compare: (a: LoggedEvent, b: LoggedEvent) => number
  readonly limit: number
}

/** The field of a zone that reads its security events. */
export const NODE = 'firewallEventsAdaptive'
export const MAX_LIMIT = 10_000

/** Age of the oldest events that can be requested, in seconds. */
export const MAX_AGE = 2_678_400

type Test = (logged: LoggedEvent) => boolean

/** The arguments of a node, unchecked. */
export type EventArguments = { readonly [name: string]: unknown }

/** Returns the refusal of an argument of a node. */
export const wrongArgument = (node: string, why: string): GraphqlRefusal =>
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
export function filterTest(filter: unknown, now: number, node: string, depth = 0): Test {
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
export function orderList(given: unknown, node: string): { readonly name: string; readonly sign: 1 | -1 }[] {
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
export function limitOf({ limit = MAX_LIMIT }: EventArguments): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new GraphqlRefusal(400, `limit must be positive number and not greater than ${MAX_LIMIT}`)
}

/**
 * Reads the arguments of `firewallEventsAdaptive`.
 * @throws GraphqlRefusal
 */
export function eventSelection(args: EventArguments, now: number): EventSelection {
  const limit = limitOf(args)
  return { matches: filterTest(args.filter, now, NODE), compare: orderOf(args.orderBy), limit }
}
