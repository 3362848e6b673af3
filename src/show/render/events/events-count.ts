import { foreign } from '../../../protocol/safe-output/safe.js'
import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { EventSearch } from '../../../servers/cloudflare/client/events/search.js'
import type { CsvColumns } from '../text/list-text.js'
import {
  type CountedField,
  countBy,
  type EventCount,
  type EventDrawing,
  eventsText,
  loggedLines,
  loggedOnlyCount,
  spanText,
  timelineOf,
  totalOf,
  USUAL_FIELDS,
} from './events-list.js'
import { groupLines, timelineText, topLines } from './events-top.js'

/** Parts of the timeline, and the columns of a report outside a terminal. */
const PARTS = 12
const USUAL_COLUMNS = 112

/** The events of a search, and how they are counted. */
export interface EventCounting {
  readonly search: EventSearch
  readonly events: readonly ListedEvent[]
  /** Counts the combinations of these fields; left out, each usual field is counted on its own. */
  readonly groupBy?: readonly CountedField[] | undefined
  /** Most values of each count. */
  readonly top?: number | undefined
}

/** A count with the names of its values. */
export type CountRow = Readonly<Record<string, string | number>>

const counted = ({ events, groupBy, top = groupBy ? 1000 : 5 }: EventCounting, fields = groupBy ?? []) =>
  countBy(events, fields).slice(0, top)

const totals = ({ count, loggedOnly }: EventCount) => ({ count, logged_only: loggedOnly })

/** The counts as rows: of the groups, or of each usual field on its own. */
export function countRows(counting: EventCounting): CountRow[] {
  const { groupBy } = counting
  if (groupBy === undefined) {
    return USUAL_FIELDS.flatMap(field =>
      counted(counting, [field]).map(each => ({ field, value: each.values[0] ?? '', ...totals(each) })),
    )
  }
  return counted(counting).map(each => ({
    ...Object.fromEntries(groupBy.map((field, i) => [field, each.values[i] ?? ''])),
    ...totals(each),
  }))
}

/** The columns of a CSV of counts. */
export function countColumns({ groupBy }: EventCounting): CsvColumns<CountRow> {
  const names = [...(groupBy ?? ['field', 'value']), 'count', 'logged_only']
  return names.map(name => [name, (row: CountRow) => row[name]] as const)
}

const wholeOf = ({ search: { period, asOf } }: EventCounting) => ({
  from: period.since,
  to: period.until ?? asOf,
})

const iso = (ms: number): string => new Date(ms).toISOString()

/** The counts as one JSON object. */
export function countJson(counting: EventCounting): object {
  const { events, search, groupBy } = counting
  const whole = wholeOf(counting)
  return {
    zone: search.zone.name,
    since: iso(whole.from),
    until: iso(whole.to),
    count: totalOf(events),
    logged_only: loggedOnlyCount(events),
    timeline: timelineOf(events, whole, PARTS).counts,
    [groupBy ? 'groups' : 'top']: countRows(counting),
  }
}

/** The counts for people: a heading with a timeline, bars, and a remark on events that were only logged. */
export function countLines(
  counting: EventCounting,
  { signs, columns = USUAL_COLUMNS }: EventDrawing,
): string[] {
  const { events, search, groupBy, top = 5 } = counting
  const whole = wholeOf(counting)
  const title = [
    `${eventsText(totalOf(events))} in ${spanText(whole.to - whole.from)}`,
    `zone ${foreign(search.zone.name, signs)}`,
    foreign(search.service.access.via, signs),
  ].join(` ${signs.dot} `)
  const time = timelineText(timelineOf(events, whole, PARTS), signs)
  const fits = title.length + 3 + time.length <= columns
  const head = fits ? [`${title}${time.padStart(columns - title.length)}`] : [title, time]
  if (events.length === 0) return head
  const body = groupBy
    ? groupLines(groupBy, counted(counting), signs)
    : topLines(events, USUAL_FIELDS, { top, columns, signs })
  return [...head, ...body, ...loggedLines(events, signs)]
}
