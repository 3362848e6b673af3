import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'

/** Fields that events can be counted by. */
export const COUNTED_FIELDS = [
  'action',
  'source',
  'country',
  'ip',
  'host',
  'uri',
  'ua',
  'colo',
  'ip_class',
  'kind',
  'method',
  'proto',
  'scheme',
  'rule_id',
] as const

export type CountedField = (typeof COUNTED_FIELDS)[number]

/** Fields that are counted unasked. */
export const USUAL_FIELDS: readonly CountedField[] = ['action', 'source', 'country', 'ip', 'host']

/** How many events have these values. */
export interface EventCount {
  /** A value for each field, in the order of the fields. */
  readonly values: readonly string[]
  readonly count: number
  /** How many of them were logged and nothing was enforced. */
  readonly loggedOnly: number
}

const timesOf = ({ times = 1 }: ListedEvent): number => times

/** How many events there are. An event of a count at the service stands for several. */
export const totalOf = (events: readonly ListedEvent[]): number =>
  events.reduce((sum, event) => sum + timesOf(event), 0)

/** Events counted by the values of one or more fields; most first, then by their values. */
export function countBy(events: readonly ListedEvent[], fields: readonly CountedField[]): EventCount[] {
  const counts = new Map<string, { values: readonly string[]; count: number; loggedOnly: number }>()
  for (const event of events) {
    const values = fields.map(field => event[field])
    const key = JSON.stringify(values)
    const known = counts.get(key) ?? { values, count: 0, loggedOnly: 0 }
    known.count += timesOf(event)
    if (event.logged_only) known.loggedOnly += timesOf(event)
    counts.set(key, known)
  }
  return [...counts.entries()]
    .sort(([a, { count: x }], [b, { count: y }]) => y - x || (a < b ? -1 : 1))
    .map(([, count]) => count)
}

/** How many events were logged and nothing was enforced. */
export function loggedOnlyCount(events: readonly ListedEvent[]): number {
  return totalOf(events.filter(event => event.logged_only))
}

/** How many events fall into each of equally long parts of a period. */
export interface Timeline {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly counts: readonly number[]
}

/** Counts events over time; what lies outside the period, or has no time, is left out. */
export function timelineOf(
  events: readonly ListedEvent[],
  { from, to }: { readonly from: number; readonly to: number },
  parts: number,
): Timeline {
  const counts = Array.from({ length: parts }, () => 0)
  const length = Math.max(1, to - from) / parts
  for (const event of events) {
    const at = Date.parse(event.occurred_at)
    // Times are whole seconds: the second of the beginning is within.
    if (Number.isNaN(at) || at < from - 1000 || at > to) continue
    counts[Math.max(0, Math.min(parts - 1, Math.floor((at - from) / length)))]! += timesOf(event)
  }
  return { from, to, counts }
}
