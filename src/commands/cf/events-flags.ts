import type { EventApi } from '../../servers/cloudflare/client/events/event-source.js'
import type { AccountFlags, ListForm } from './options.js'

/** Options of `cf events` as they were typed. */
export interface EventFlags extends AccountFlags {
  readonly since?: string
  readonly until?: string
  readonly kind?: string
  readonly source?: string
  readonly action?: string
  readonly ip?: string
  readonly country?: string
  readonly host?: string
  readonly limit?: string
  readonly top?: string
  readonly groupBy?: string
  readonly follow?: true
  readonly interval?: string
  readonly api: EventApi | 'auto'
  readonly output?: ListForm
  readonly plain?: true
  readonly webhook?: string
  readonly webhookFile?: string
  readonly channel?: string
  readonly username?: string
  readonly iconUrl?: string
  readonly batch?: string
  readonly dryRun?: true
}
