import { countColumns, countJson, countLines, countRows } from '../../render/events-count.js'
import { EVENT_COLUMNS, eventListLines } from '../../render/events-list.js'
import { listText } from '../../render/list-text.js'
import { print, printJson, terminalColumns } from '../output.js'
import { type EventsRun, findEvents } from './events-run.js'

/** `cf events`: a list, newest first. */
export async function listEvents(run: EventsRun): Promise<void> {
  const { form, search, signs } = run
  const { events } = await findEvents(run)
  if (form === 'json' || form === 'jsonl' || form === 'csv') {
    process.stdout.write(listText(form, events, EVENT_COLUMNS))
  } else print(...eventListLines(search, events, { signs, columns: terminalColumns() }))
}

/** `cf events --top`, `--group-by`: counts, bars and a timeline. */
export async function countEvents(run: EventsRun): Promise<void> {
  const { form, search, signs, settings } = run
  const { events } = await findEvents(run)
  const counting = { search, events, groupBy: settings.groupBy, top: settings.top }
  if (form === 'jsonl' || form === 'csv') {
    process.stdout.write(listText(form, countRows(counting), countColumns(counting)))
  } else if (form === 'json') printJson(countJson(counting))
  else print(...countLines(counting, { signs, columns: terminalColumns() }))
}
