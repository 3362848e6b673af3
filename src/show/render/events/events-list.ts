import { foreign } from '../../../protocol/safe-output/safe.js'
import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { EventSearch } from '../../../servers/cloudflare/client/events/search.js'
import type { CsvColumns } from '../text/list-text.js'
import type { Signs } from '../text/signs.js'
import { eventTable } from './events-table.js'
import { actionsText, eventsText, loggedLines, spanText } from './events-words.js'

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
