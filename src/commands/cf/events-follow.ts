import { setTimeout as delay } from 'node:timers/promises'
import type { ListedEvent } from '../../cloudflare/client/events/event.js'
import { type Following, follow } from '../../cloudflare/client/events/follow.js'
import type { Period } from '../../cloudflare/client/events/period.js'
import type { UserError } from '../../errors.js'
import { csvRow } from '../../render/csv.js'
import { eventTable } from '../../render/events-table.js'
import { spanText } from '../../render/events-words.js'
import { jsonLine } from '../../render/json-line.js'
import { makeSafe } from '../../render/safe.js'
import { narrate, print } from '../output.js'
import { watchReader } from '../reader-left.js'
import { CSV_COLUMNS } from './events-forms.js'
import { tableOf } from './events-list.js'
import { type EventsRun, find } from './events-run.js'

/** GraphQL shows events up to a minute after they happened; the emulator and REST at once. */
const LATE = { rest: 0, graphql: 60_000 } as const

const tellTrouble = ({ message }: UserError, wait: number): void =>
  narrate(makeSafe(`${message}; asking again in ${spanText(wait)}`))

/** The events of a run as they come: what there was since its beginning, then new ones, none twice. */
export function following(
  run: EventsRun,
  {
    signal,
    troubled = tellTrouble,
    recovered = () => {},
  }: Pick<Partial<Following>, 'troubled' | 'recovered'> & { readonly signal: AbortSignal },
): AsyncGenerator<readonly ListedEvent[]> {
  // What comes later is not cut by --limit.
  let limit = run.settings.limit
  const settings = () => {
    const now = { ...run.settings, limit }
    limit = Number.MAX_SAFE_INTEGER
    return now
  }
  return follow(run.period, {
    find: (period: Period) => find({ ...run, settings: settings() }, period),
    interval: run.settings.interval,
    late: LATE[run.api],
    pause: ms => delay(ms, undefined, { signal }),
    troubled,
    recovered,
  })
}

/** Writes events as they come, in the form that was asked for. */
function writer(run: EventsRun): (events: readonly ListedEvent[]) => void {
  const write = (text: string): void => void process.stdout.write(text)
  if (run.form === 'jsonl') return events => write(events.map(event => `${jsonLine(event)}\n`).join(''))
  if (run.form === 'csv') {
    write(csvRow(CSV_COLUMNS.map(([heading]) => heading)))
    return events => write(events.map(event => csvRow(CSV_COLUMNS.map(([, cell]) => cell(event)))).join(''))
  }
  let table: ReturnType<typeof eventTable> | undefined
  return events => {
    if (events.length === 0) return
    if (table === undefined) {
      table = eventTable(tableOf(run), events, { moreToCome: true })
      print(table.heading)
    }
    print(...table.rows(events))
  }
}

/** `cf events --follow`: until a signal comes, or nobody reads any more. */
export async function followEvents(run: EventsRun): Promise<void> {
  const left = new AbortController()
  const readerLeft = await watchReader()
  readerLeft(run.signal).then(
    () => left.abort(),
    () => {},
  )
  const signal = AbortSignal.any([run.signal, left.signal])
  const write = writer(run)
  try {
    for await (const events of following(run, { signal })) write(events)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
