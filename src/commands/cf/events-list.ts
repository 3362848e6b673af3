import { countAtService } from '../../servers/cloudflare/client/events/search.js'
import { countColumns, countJson, countLines, countRows } from '../../show/render/events/events-count.js'
import { EVENT_COLUMNS, eventListLines } from '../../show/render/events/events-list.js'
import { USUAL_FIELDS } from '../../show/render/events/events-summary.js'
import { listText } from '../../show/render/text/list-text.js'
import { print, printJson, terminalColumns } from '../output/output.js'
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
  // A limit means the newest events, which only the list of them knows.
  const fields = settings.groupBy ?? USUAL_FIELDS
  const counted = settings.limited ? undefined : await countAtService(search, fields)
  const events = counted ?? (await findEvents(run)).events
  const counting = { search, events, groupBy: settings.groupBy, top: settings.top }
  if (form === 'jsonl' || form === 'csv') {
    process.stdout.write(listText(form, countRows(counting), countColumns(counting)))
  } else if (form === 'json') printJson(countJson(counting))
  else print(...countLines(counting, { signs, columns: terminalColumns() }))
}
