import { UserError } from '../../protocol/errors.js'
import { jsonLine } from '../../protocol/safe-output/json-line.js'
import type { ListedEvent } from '../../servers/cloudflare/client/events/event.js'
import { attachmentOf, postsOf } from '../../servers/cloudflare/client/webhook/post.js'
import { EVENT_COLUMNS, eventsText, spanText } from '../../show/render/events/events-list.js'
import { listText } from '../../show/render/text/list-text.js'
import type { ExportForm } from '../../show/tui/events/keys.js'
import { type EventsListener, runEventsScreen } from '../../show/tui/events/run.js'
import { print } from '../output/output.js'
import { screenOffers } from '../output/screen-offers.js'
import { type EventsRun, followRun } from './events-run.js'

function written(form: ExportForm, events: readonly ListedEvent[]): string {
  if (form !== 'post') return listText(form, events, EVENT_COLUMNS)
  return postsOf(events, {}, events.length)
    .map(post => `${jsonLine(post, 2)}\n`)
    .join('')
}

/** Passes events to the screen until the person leaves it. An error that ends the feed stays on the screen. */
async function feed(
  batches: AsyncGenerator<readonly ListedEvent[]>,
  listener: EventsListener,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const events of batches) listener.came(events)
  } catch (error) {
    if (signal.aborted) return
    const why = error instanceof UserError ? error.message : String(error)
    listener.trouble(`nothing new any more: ${why}`, true)
  }
}

/** `cf events` on a terminal: a screen, until the person leaves it. */
export async function showEvents(run: EventsRun): Promise<void> {
  const { search, account, globals, signs } = run
  const left = new AbortController()
  const signal = AbortSignal.any([run.signal, left.signal])
  let listener: EventsListener | undefined
  const batches = followRun(run, signal, {
    troubled: ({ message }, wait) =>
      listener?.trouble(`${message}; asking again in ${spanText(wait)}`, false),
    recovered: () => listener?.trouble(undefined, false),
  })
  // A refusal of the first request is one line, without a screen.
  const { value: first = [] } = await batches.next()
  const asked = Object.entries(search.filter).map(([name, values]) => `${name} ${values?.join(',')}`)
  const { signal: ending, events } = await runEventsScreen({
    place: {
      zone: search.zone.name,
      host: new URL(search.service.access.base).host,
      asked: asked.join('  '),
    },
    events: first,
    since: search.period.since,
    listen: given => {
      listener = given
      void feed(batches, given, signal)
      return () => left.abort()
    },
    preview: attachmentOf,
    offers: { written, ...screenOffers(globals.home) },
    now: account.now,
    ascii: signs.ascii,
  })
  if (ending !== 'SIGHUP') print(`cf events: ${eventsText(events)} seen`)
}
