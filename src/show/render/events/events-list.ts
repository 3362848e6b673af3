import { foreign } from '../../../protocol/safe-output/safe.js'
import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { EventSearch } from '../../../servers/cloudflare/client/events/search.js'
import type { CsvColumns } from '../text/list-text.js'
import type { Signs } from '../text/signs.js'

const FIELDS = [
  'occurred_at',
  'kind',
  'source',
  'action',
  'ip',
  'ip_class',
  'country',
  'colo',
  'host',
  'uri',
  'ua',
  'method',
  'proto',
  'scheme',
  'ray_id',
  'rule_id',
] as const

/** The columns of a CSV of events. */
export const EVENT_COLUMNS: CsvColumns<ListedEvent> = [
  ...FIELDS.map(field => [field, (event: ListedEvent) => event[field]] as const),
  ['logged_only', ({ logged_only }) => logged_only === true],
]

/** The terminal that a table is drawn for. */
export interface EventDrawing {
  readonly signs: Signs
  /** Left out, nothing is cut. */
  readonly columns?: number | undefined
}

/** A table for the events of a search, without the columns in which all rows would be equal. */
export function tableFor(
  { filter, period, asOf }: EventSearch,
  first: readonly ListedEvent[],
  { signs, columns }: EventDrawing,
  options: { readonly moreToCome: boolean },
): ReturnType<typeof eventTable> {
  const single = Object.entries(filter).flatMap(([name, values]) => (values?.length === 1 ? [name] : []))
  const isNetwork = filter.ip?.some(each => each.includes('/')) === true
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const table = {
    signs,
    without: new Set(single.filter(name => name !== 'ip' || !isNetwork)),
    dates: day(period.since) !== day(period.until ?? asOf),
    columns,
  }
  return eventTable(table, first, options)
}

/** The events of a search as a table, with a summary below it. */
export function eventListLines(
  search: EventSearch,
  events: readonly ListedEvent[],
  drawing: EventDrawing,
): string[] {
  const { period, asOf, zone } = search
  const { signs } = drawing
  const span = spanText((period.until ?? asOf) - period.since)
  if (events.length === 0) return [`no events in ${span} of ${foreign(zone.name, signs)}`]
  const { heading, rows } = tableFor(search, events, drawing, { moreToCome: false })
  const actions = actionsText(events, text => foreign(text, signs))
  return [
    heading,
    ...rows(events),
    `${eventsText(events.length)} in ${span}: ${actions}`,
    ...loggedLines(events, signs),
  ]
}

/** The mark behind an action that only logs. */
export const LOGGED_MARK = '*'

/** The sign for an empty field. */
export const emptyText = (signs: Signs): string => (signs.ascii ? '-' : '–')

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** A length of time as it is typed: `1h30m`. Takes milliseconds. */
export function spanText(ms: number): string {
  let rest = Math.round(ms / 1000) * 1000
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return count === 0 ? [] : [`${count}${unit}`]
  })
  return parts.length === 0 ? '0s' : parts.slice(0, 2).join('')
}

/** A count with its noun. */
export const eventsText = (count: number): string => `${count} event${count === 1 ? '' : 's'}`

/** The actions of events, most first: `26 drop, 14 simulate`. `show` makes them safe. */
export function actionsText(events: readonly ListedEvent[], show: (text: string) => string): string {
  return countBy(events, ['action'])
    .map(({ values: [action = ''], count }) => `${count} ${show(action)}`)
    .join(', ')
}

/** A line about events that were logged and not enforced, with their main host; no line when all were enforced. */
export function loggedLines(events: readonly ListedEvent[], signs: Signs): string[] {
  const logged = events.filter(event => event.logged_only)
  const count = totalOf(logged)
  if (count === 0) return []
  const actions = countBy(logged, ['action']).map(({ values: [action = ''] }) => foreign(action, signs))
  const [most] = countBy(logged, ['host'])
  const [host = ''] = most?.values ?? []
  const isMain = most !== undefined && host !== '' && most.count * 2 > count
  const where = isMain ? `, ${most.count} of them on ${foreign(host, signs)}` : ''
  return [
    `${LOGGED_MARK} ${count} of ${totalOf(events)} logged only (${actions.join(', ')})${where}: nothing was enforced`,
  ]
}

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

/** A column of the table of events. */
interface Column {
  readonly heading: string
  readonly cell: (event: ListedEvent) => string
  /** Columns to keep for it when more rows may follow. */
  readonly usual: number
}

/** Options of the table. */
interface EventTable {
  readonly signs: Signs
  /** Fields with the same value in all rows. */
  readonly without: ReadonlySet<string>
  /** True when times need their date. */
  readonly dates: boolean
  /** Columns of the terminal; left out, nothing is cut. */
  readonly columns?: number | undefined
}

const GAP = '  '

/** Longer values push what comes after them to the right, in their row alone. */
const WIDEST = 40

function columnsOf({ without, dates }: EventTable): Column[] {
  const all: readonly (Column | undefined)[] = [
    {
      heading: 'TIME (UTC)',
      cell: ({ occurred_at: at }) => (dates ? at.slice(0, 19).replace('T', ' ') : at.slice(11, 19)),
      usual: dates ? 19 : 10,
    },
    {
      heading: 'ACTION',
      cell: ({ action, logged_only }) => `${action}${logged_only ? LOGGED_MARK : ''}`,
      usual: 11,
    },
    without.has('source') ? undefined : { heading: 'SOURCE', cell: ({ source }) => source, usual: 13 },
    without.has('ip') ? undefined : { heading: 'IP', cell: ({ ip }) => ip, usual: 15 },
    without.has('country') ? undefined : { heading: 'CC', cell: ({ country }) => country, usual: 2 },
    { heading: 'COLO', cell: ({ colo }) => colo, usual: 4 },
    without.has('host') ? undefined : { heading: 'HOST', cell: ({ host }) => host, usual: 17 },
    { heading: 'URI', cell: ({ uri }) => uri, usual: 32 },
    { heading: 'UA', cell: ({ ua }) => ua, usual: 0 },
  ]
  return all.filter(each => each !== undefined)
}

function cut(text: string, columns: number | undefined, { ellipsis }: Signs): string {
  if (columns === undefined || text.length <= columns) return text
  return `${text.slice(0, Math.max(0, columns - ellipsis.length)).toWellFormed()}${ellipsis}`
}

/** Makes the lines of a table. Rows that come later keep the widths of the first ones. */
export function eventTable(
  table: EventTable,
  first: readonly ListedEvent[],
  options: { readonly moreToCome: boolean },
): { readonly heading: string; readonly rows: (events: readonly ListedEvent[]) => string[] } {
  const { signs } = table
  const columns = columnsOf(table)
  const text = (column: Column, event: ListedEvent): string =>
    foreign(column.cell(event), signs) || emptyText(signs)
  const widths = columns.map(column => {
    const lengths = first.map(event => text(column, event).length)
    const least = options.moreToCome ? column.usual : 0
    return Math.min(WIDEST, Math.max(column.heading.length, least, ...lengths))
  })
  const lineOf = (cells: readonly string[]): string =>
    cut(
      cells
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join(GAP)
        .trimEnd(),
      table.columns,
      signs,
    )
  return {
    heading: lineOf(columns.map(({ heading }) => heading)),
    rows: events => events.map(event => lineOf(columns.map(column => text(column, event)))),
  }
}
