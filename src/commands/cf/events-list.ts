import { eventTable } from '../../render/events-table.js'
import { actionsText, eventsText, spanText } from '../../render/events-words.js'
import { foreign } from '../../render/safe.js'
import { print } from '../output.js'
import { CSV_COLUMNS } from './events-forms.js'
import { type EventsRun, findAndTell, loggedLines, terminalColumns } from './events-run.js'
import { listText } from './list-form.js'

/** How the table of these events is to be: what all rows would say the same is left out. */
export function tableOf({ filter, period, signs, asOf }: EventsRun) {
  const single = Object.entries(filter).flatMap(([name, values]) => (values?.length === 1 ? [name] : []))
  const networks = filter.ip?.some(each => each.includes('/')) ? ['ip'] : []
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const columns = terminalColumns()
  return {
    signs,
    without: new Set(single.filter(name => !networks.includes(name))),
    dates: day(period.since) !== day(period.until ?? asOf),
    ...(columns !== undefined && { columns }),
  }
}

/** `cf events`: a list, newest first. */
export async function listEvents(run: EventsRun): Promise<void> {
  const { form, period, asOf, zone, signs } = run
  const found = await findAndTell(run)
  const { events } = found
  if (form === 'json' || form === 'jsonl' || form === 'csv') {
    process.stdout.write(listText(form, events, CSV_COLUMNS))
    return
  }
  const span = spanText((period.until ?? asOf) - period.since)
  if (events.length === 0) {
    print(`no events in ${span} of ${foreign(zone.name, signs)}`)
    return
  }
  const { heading, rows } = eventTable(tableOf(run), events, { moreToCome: false })
  const said = actionsText(events, text => foreign(text, signs))
  print(
    heading,
    ...rows(events),
    `${eventsText(events.length)} in ${span}: ${said}`,
    ...loggedLines(run, found),
  )
}
