import type { ListedEvent } from '../../cloudflare/client/events/event.js'
import {
  type CountedField,
  countBy,
  type EventCount,
  loggedOnlyCount,
  timelineOf,
  USUAL_FIELDS,
} from '../../render/events-summary.js'
import { groupLines, timelineText, topLines } from '../../render/events-top.js'
import { eventsText, spanText } from '../../render/events-words.js'
import { jsonLine } from '../../render/json-line.js'
import { foreign } from '../../render/safe.js'
import { print, printJson } from '../output.js'
import { type EventsRun, findAndTell, loggedLines, terminalColumns } from './events-run.js'
import { listText } from './list-form.js'

/** Parts of the timeline, and columns where nothing says how many there are. */
const PARTS = 12
const USUAL_COLUMNS = 112

/** A count with the names of its values. */
type Row = Readonly<Record<string, string | number>>

function rowsOf(fields: readonly CountedField[], counts: readonly EventCount[]): Row[] {
  return counts.map(({ values, count, loggedOnly }) => ({
    ...Object.fromEntries(fields.map((field, i) => [field, values[i] ?? ''])),
    count,
    logged_only: loggedOnly,
  }))
}

/** The counts as rows: of the groups, or of each usual field on its own. */
function allRows(events: readonly ListedEvent[], { settings: { groupBy, top } }: EventsRun): Row[] {
  if (groupBy) return rowsOf(groupBy, countBy(events, groupBy).slice(0, top))
  return USUAL_FIELDS.flatMap(field =>
    countBy(events, [field])
      .slice(0, top)
      .map(({ values: [value = ''], count, loggedOnly }) => ({
        field,
        value,
        count,
        logged_only: loggedOnly,
      })),
  )
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** `cf events --top`, `--group-by`: counts, bars and a timeline. */
export async function countEvents(run: EventsRun): Promise<void> {
  const { form, settings, period, asOf, zone, signs, service } = run
  const { groupBy, top = groupBy ? 1000 : 5 } = settings
  const whole = { from: period.since, to: period.until ?? asOf }
  const found = await findAndTell(run)
  const { events } = found
  const timeline = timelineOf(events, whole, PARTS)
  const rows = allRows(events, run)
  if (form === 'jsonl') {
    process.stdout.write(rows.map(row => `${jsonLine(row)}\n`).join(''))
    return
  }
  if (form === 'csv') {
    const names = groupBy ?? ['field', 'value']
    const columns = [...names, 'count', 'logged_only'].map(name => [name, (row: Row) => row[name]] as const)
    process.stdout.write(listText('csv', rows, columns))
    return
  }
  if (form === 'json') {
    const counted = { zone: zone.name, since: iso(whole.from), until: iso(whole.to), count: events.length }
    const said = { ...counted, logged_only: loggedOnlyCount(events), timeline: timeline.counts }
    printJson({ ...said, [groupBy ? 'groups' : 'top']: rows })
    return
  }
  const dot = ` ${signs.dot} `
  const title = [
    `${eventsText(events.length)} in ${spanText(whole.to - whole.from)}`,
    `zone ${foreign(zone.name, signs)}`,
    foreign(service.access.via, signs),
  ].join(dot)
  const columns = terminalColumns() ?? USUAL_COLUMNS
  const time = timelineText(timeline, signs)
  const fits = title.length + 3 + time.length <= columns
  const head = fits ? [`${title}${time.padStart(columns - title.length)}`] : [title, time]
  const body =
    groupBy === undefined
      ? topLines(events, USUAL_FIELDS, { top, columns, signs })
      : groupLines(groupBy, countBy(events, groupBy).slice(0, top), signs)
  print(...head, ...(events.length === 0 ? [] : body), ...loggedLines(run, found))
}
