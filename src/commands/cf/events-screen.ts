import { join } from 'node:path'
import type { ListedEvent } from '../../cloudflare/client/events/event.js'
import { attachmentOf, postsOf } from '../../cloudflare/client/webhook/attachment.js'
import { UserError } from '../../errors.js'
import { writeState } from '../../lab/state-folder.js'
import { eventsText, spanText } from '../../render/events-words.js'
import { jsonLine } from '../../render/json-line.js'
import type { ExportForm } from '../../tui/events/exports.js'
import type { EventsOffers } from '../../tui/events/offers.js'
import { type EventsListener, runEventsScreen } from '../../tui/events/run.js'
import { takesClipboard } from '../../tui/screen/clipboard.js'
import { writeNewFile } from '../new-file.js'
import { print } from '../output.js'
import { following } from './events-follow.js'
import { CSV_COLUMNS } from './events-forms.js'
import type { EventsRun } from './events-run.js'
import { listText } from './list-form.js'

function written(form: ExportForm, events: readonly ListedEvent[]): string {
  if (form !== 'post') return listText(form, events, CSV_COLUMNS)
  return postsOf(events, {}, events.length)
    .map(post => `${jsonLine(post, 2)}\n`)
    .join('')
}

const offersOf = (home: string): EventsOffers => ({
  written,
  save: writeNewFile,
  keepCopy: async text => {
    await writeState(home, 'lab-copied.txt', text)
    return join(home, 'lab-copied.txt')
  },
  clipboard: takesClipboard(process.env),
})

/** The filters as they were typed. */
function askedOf({ filter }: EventsRun): string {
  return Object.entries(filter)
    .map(([name, values]) => `${name} ${values?.join(',')}`)
    .join('  ')
}

/** Tells the screen what comes, until it is left. What ends the feed stays to be read. */
async function feed(
  batches: AsyncGenerator<readonly ListedEvent[]>,
  listener: EventsListener,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const events of batches) {
      listener.came(events)
    }
  } catch (error) {
    if (signal.aborted) return
    const why = error instanceof UserError ? error.message : String(error)
    listener.trouble(`nothing new any more: ${why}`, true)
  }
}

/** `cf events` on a terminal: until it is left. */
export async function showEvents(run: EventsRun): Promise<void> {
  const { zone, service, period, now, globals, signs } = run
  const left = new AbortController()
  const signal = AbortSignal.any([run.signal, left.signal])
  let listener: EventsListener | undefined
  const batches = following(run, {
    signal,
    troubled: ({ message }, wait) =>
      listener?.trouble(`${message}; asking again in ${spanText(wait)}`, false),
    recovered: () => listener?.trouble(undefined, false),
  })
  // A refusal at the beginning is one line, and no screen.
  const { value: first = [] } = await batches.next()
  const { signal: ending, events } = await runEventsScreen({
    place: { zone: zone.name, host: new URL(service.access.base).host, asked: askedOf(run) },
    events: first,
    since: period.since,
    listen: told => {
      listener = told
      void feed(batches, told, signal)
      return () => left.abort()
    },
    preview: attachmentOf,
    offers: offersOf(globals.home),
    now,
    ascii: signs.ascii,
  })
  if (ending !== 'SIGHUP') print(`cf events: ${eventsText(events)} seen`)
}
