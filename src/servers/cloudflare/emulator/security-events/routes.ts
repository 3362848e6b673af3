import { timestamp } from '../../timestamp.js'
import type { ApiRoutes } from '../api.js'
import { success } from '../envelope.js'
import type { EventLog, LoggedEvent } from './event-log.js'
import { cursorOf, type EventQuery, readEventQuery } from './event-query.js'
import { written } from './written.js'

/** Selects the events of a query: newest first, and by ray id within a second. */
function selected(log: readonly LoggedEvent[], { since, until, after, matches }: EventQuery): LoggedEvent[] {
  // Events have whole seconds: one of the second that `since` falls into is selected.
  const from = Math.floor(since / 1000) * 1000
  return log
    .filter(event => event.at >= from && event.at <= until && matches(event))
    .sort((a, b) => b.at - a.at || (a.ray_id < b.ray_id ? -1 : 1))
    .filter(
      each =>
        after === undefined || each.at < after.at || (each.at === after.at && each.ray_id > after.ray_id),
    )
}

/**
 * The routes of the older REST API for security events, which GraphQL replaced.
 * @param logOf the log of a zone; zones without one have no events
 */
export function eventRoutes(
  logOf: (zone: string) => EventLog | undefined,
  { now }: { readonly now: () => number },
): ApiRoutes {
  return {
    '/zones/:zone/security/events': {
      async GET({ state, query, publish }) {
        // The log is read before the clock, so that no new event lies in the future of the query.
        const log = (await logOf(state.zone.id)?.read()) ?? []
        const wanted = readEventQuery(query, now())
        const found = selected(log, wanted)
        const page = found.slice(0, wanted.limit)
        const last = page.at(-1)
        const after = last !== undefined && found.length > page.length ? cursorOf(last) : ''
        publish({ type: 'dns.events_read', zone: state.zone.name, count: page.length, api: 'rest' })
        return success(page.map(written), {
          cursors: { after, before: '' },
          scanned_range: { since: timestamp(wanted.since), until: timestamp(wanted.until) },
        })
      },
    },
  }
}
