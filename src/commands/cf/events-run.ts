import { jsonLine } from '../../protocol/safe-output/json-line.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import type { ListedEvent } from '../../servers/cloudflare/client/events/event.js'
import type { FoundEvents } from '../../servers/cloudflare/client/events/event-source.js'
import {
  countAtService,
  type EventSearch,
  type Following,
  followEvents,
  searchEvents,
} from '../../servers/cloudflare/client/events/search.js'
import { writeText } from '../../session/output/writer.js'
import type { DnsAccount } from '../../session/targets/account.js'
import { countColumns, countJson, countLines, countRows } from '../../show/render/events/events-count.js'
import {
  EVENT_COLUMNS,
  eventListLines,
  spanText,
  tableFor,
  USUAL_FIELDS,
} from '../../show/render/events/events-list.js'
import { csvRow, listText } from '../../show/render/text/list-text.js'
import type { Signs } from '../../show/render/text/signs.js'
import { narrate, print, printJson, terminalColumns } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import type { EventSettings } from './events-options.js'
import type { ListForm } from './options.js'

/** A run of `cf events`: its options, and the account that it reached. */
export interface EventsRun {
  readonly search: EventSearch
  readonly account: DnsAccount
  readonly settings: EventSettings
  readonly form: ListForm
  readonly globals: Globals
  readonly signs: Signs
  /** Aborted by the first signal. */
  readonly signal: AbortSignal
}

/** Finds the events of a run. A line on stderr says when the default limit left older ones out. */
export async function findEvents({ search, settings }: EventsRun): Promise<FoundEvents> {
  const found = await searchEvents(search)
  if (found.more && !settings.limited)
    narrate(`These are the newest ${found.events.length}; there are older ones:   --limit`)
  return found
}

/** Follows the events of a run, oldest first. Trouble is reported on stderr unless `ports` say otherwise. */
export function followRun(
  { search, settings }: EventsRun,
  signal: AbortSignal,
  ports: Partial<Pick<Following, 'troubled' | 'recovered'>> = {},
): AsyncGenerator<readonly ListedEvent[]> {
  return followEvents(search, {
    signal,
    interval: settings.interval,
    troubled: ({ message }, wait) => narrate(makeSafe(`${message}; asking again in ${spanText(wait)}`)),
    recovered: () => {},
    ...ports,
  })
}

/** `cf events`: a list, newest first. */
export async function listEvents(run: EventsRun): Promise<void> {
  const { form, search, signs } = run
  const { events } = await findEvents(run)
  if (form === 'json' || form === 'jsonl' || form === 'csv') {
    writeText(listText(form, events, EVENT_COLUMNS))
  } else print(eventListLines(search, events, { signs, columns: terminalColumns() }).join('\n'))
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
    writeText(listText(form, countRows(counting), countColumns(counting)))
  } else if (form === 'json') printJson(countJson(counting))
  else print(...countLines(counting, { signs, columns: terminalColumns() }))
}

/** Returns the function that writes events as they come, in the form of the run. */
function writer({ form, search, signs }: EventsRun): (events: readonly ListedEvent[]) => void {
  if (form === 'jsonl') return events => writeText(events.map(event => `${jsonLine(event)}\n`).join(''))
  if (form === 'csv') {
    writeText(csvRow(EVENT_COLUMNS.map(([heading]) => heading)))
    return events =>
      writeText(events.map(event => csvRow(EVENT_COLUMNS.map(([, cell]) => cell(event)))).join(''))
  }
  let table: ReturnType<typeof tableFor> | undefined
  return events => {
    if (events.length === 0) return
    if (table === undefined) {
      table = tableFor(search, events, { signs, columns: terminalColumns() }, { moreToCome: true })
      print(table.heading)
    }
    print(table.rows(events).join('\n'))
  }
}

/** `cf events --follow`: until a signal comes. */
export async function printNewEvents(run: EventsRun): Promise<void> {
  const { signal } = run
  const write = writer(run)
  try {
    for await (const events of followRun(run, signal)) write(events)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
