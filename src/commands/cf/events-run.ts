import type { EventFilter } from '../../cloudflare/client/events/event-filter.js'
import { type EventApi, type FoundEvents, findEvents } from '../../cloudflare/client/events/event-source.js'
import type { Period } from '../../cloudflare/client/events/period.js'
import { loggedOnlyText } from '../../render/events-words.js'
import { foreign } from '../../render/safe.js'
import type { Signs } from '../../render/signs.js'
import type { Globals } from '../globals.js'
import { narrate } from '../output.js'
import type { EventSettings } from './events-options.js'
import type { ListForm } from './list-form.js'
import type { ReachedService } from './target.js'

/** A run of `cf events`, with everything that was asked for and a service that is reached. */
export interface EventsRun extends Omit<ReachedService, 'zone'> {
  /** Its name is its identifier where only that is known. */
  readonly zone: { readonly id: string; readonly name: string }
  readonly api: EventApi
  readonly filter: EventFilter
  readonly period: Period
  /** When the period was read, milliseconds since the epoch, by the clock of the service. */
  readonly asOf: number
  readonly settings: EventSettings
  readonly form: ListForm
  readonly globals: Globals
  readonly signs: Signs
  /** Aborted by the first signal. */
  readonly signal: AbortSignal
}

/** The events of a period that the options ask for, newest first. */
export function find(run: EventsRun, period: Period = run.period): Promise<FoundEvents> {
  const { service, api, zone, filter, settings } = run
  return findEvents(service, api, { zone: zone.id, period, filter }, settings.limit)
}

/** The same, and a line on stderr where a limit that nobody asked for left some out. */
export async function findAndTell(run: EventsRun): Promise<FoundEvents> {
  const found = await find(run)
  if (found.more && !run.settings.limited)
    narrate(`These are the newest ${found.events.length}; there are older ones:   --limit`)
  return found
}

/** The line about what was logged only, as lines. */
export function loggedLines({ signs }: EventsRun, { events }: FoundEvents): string[] {
  const said = loggedOnlyText(events, text => foreign(text, signs))
  return said === undefined ? [] : [said]
}

/** Columns of a terminal that stdout is; undefined for a pipe, where nothing is to be cut. */
export function terminalColumns(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || 80 : undefined
}
