import { makeSafe } from '../../protocol/safe-output/safe.js'
import type { ListedEvent } from '../../servers/cloudflare/client/events/event.js'
import type { FoundEvents } from '../../servers/cloudflare/client/events/event-source.js'
import type { Following } from '../../servers/cloudflare/client/events/search.js'
import {
  type EventSearch,
  followEvents,
  searchEvents,
} from '../../servers/cloudflare/client/events/search.js'
import type { DnsAccount } from '../../session/targets/account.js'
import { spanText } from '../../show/render/events/events-words.js'
import type { Signs } from '../../show/render/text/signs.js'
import { narrate } from '../output/output.js'
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
