import type { ListedEvent } from '../../servers/cloudflare/client/events/event.js'
import { EVENT_COLUMNS, tableFor } from '../../show/render/events/events-list.js'
import { csvRow } from '../../show/render/text/csv.js'
import { jsonLine } from '../../show/render/text/json-line.js'
import { print, terminalColumns } from '../output/output.js'
import { type EventsRun, followRun } from './events-run.js'

/** Returns the function that writes events as they come, in the form of the run. */
function writer({ form, search, signs }: EventsRun): (events: readonly ListedEvent[]) => void {
  const write = (text: string): void => void process.stdout.write(text)
  if (form === 'jsonl') return events => write(events.map(event => `${jsonLine(event)}\n`).join(''))
  if (form === 'csv') {
    write(csvRow(EVENT_COLUMNS.map(([heading]) => heading)))
    return events => write(events.map(event => csvRow(EVENT_COLUMNS.map(([, cell]) => cell(event)))).join(''))
  }
  let table: ReturnType<typeof tableFor> | undefined
  return events => {
    if (events.length === 0) return
    if (table === undefined) {
      table = tableFor(search, events, { signs, columns: terminalColumns() }, { moreToCome: true })
      print(table.heading)
    }
    print(...table.rows(events))
  }
}

/** `cf events --follow`: until a signal comes. */
export async function followEvents(run: EventsRun): Promise<void> {
  const { signal } = run
  const write = writer(run)
  try {
    for await (const events of followRun(run, signal)) write(events)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
