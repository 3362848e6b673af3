import { ipv6 } from '../records/names.js'
import {
  EVENT_ACTIONS,
  EVENT_FIELDS,
  EVENT_IP_CLASSES,
  EVENT_KINDS,
  EVENT_PROTOCOLS,
  EVENT_SOURCES,
} from '../shapes.js'
import { parseTimestamp, timestamp, yearBefore } from '../timestamp.js'
import { badParameter, success } from './answers.js'
import { type EventLog, KIND, type LoggedEvent, written } from './event-log.js'
import type { ApiRoutes } from './router.js'

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

/** The options of a request for events. */
interface EventQuery {
  /** Milliseconds since the epoch; both ends are included. */
  readonly since: number
  readonly until: number
  readonly limit: number
  readonly after: Position | undefined
  readonly matches: (event: LoggedEvent) => boolean
}

/** The last event of a page. */
interface Position {
  readonly at: number
  readonly ray_id: string
}

const USUAL_LIMIT = 50
const MAX_LIMIT = 1000
const DAY = 86_400_000

/** Restores the `+` of a time zone: when it was not encoded, it arrives as a space. */
const withPlus = (text: string): string => text.replace(/ (?=\d{2}:?\d{2}$)/, '+')

function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const time = parseTimestamp(text) ?? (text.includes('T') ? parseTimestamp(withPlus(text)) : undefined)
  if (time !== undefined) return time
  throw badParameter(`${name} must be an ISO 8601 time with a T, such as 2026-01-01T00:00:00Z.`)
}

/** The allowed values of filters with a fixed set of values. */
const allowedValues: { readonly [name: string]: readonly string[] } = {
  kind: EVENT_KINDS,
  source: EVENT_SOURCES,
  action: EVENT_ACTIONS,
  ip_class: EVENT_IP_CLASSES,
  proto: EVENT_PROTOCOLS,
}

const FIELDS = [...EVENT_FIELDS, 'method', 'proto', 'scheme', 'ray_id', 'rule_id'] as const

/** Filters that ignore case. */
const folded = new Set<string>(['country', 'colo', 'host', 'method', 'scheme', 'ray_id', 'rule_id'])

function fieldOf(logged: LoggedEvent, field: (typeof FIELDS)[number]): string {
  if (field === 'kind') return KIND
  return field === 'ray_id' ? logged.ray_id : logged.event[field]
}

function filters(query: URLSearchParams): (event: LoggedEvent) => boolean {
  const tests = FIELDS.flatMap(field => {
    const wanted = query.get(field)
    if (wanted === null) return []
    const allowed = allowedValues[field]
    if (allowed && !allowed.includes(wanted)) {
      throw badParameter(`${field} must be one of ${allowed.join(', ')}.`)
    }
    const fold = (text: string) =>
      folded.has(field) ? text.toLowerCase() : field === 'ip' ? (ipv6(text) ?? text) : text
    const value = fold(wanted)
    return [(event: LoggedEvent) => fold(fieldOf(event, field)) === value]
  })
  return event => tests.every(test => test(event))
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit')
  if (text === null) return USUAL_LIMIT
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MAX_LIMIT) return limit
  throw badParameter(`limit must be a whole number from 1 to ${MAX_LIMIT}.`)
}

/** The cursor of a position: opaque to clients. */
const cursorOf = ({ at, ray_id }: Position): string => Buffer.from(`${at}.${ray_id}`).toString('base64url')

function positionOf(query: URLSearchParams): Position | undefined {
  const cursor = query.get('cursor')
  if (cursor === null || cursor === '') return undefined
  const [, at, ray_id] =
    /^(\d{1,15})\.([0-9a-f]{16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at === undefined || ray_id === undefined)
    throw badParameter('cursor must be one that this API gave out.')
  return { at: Number(at), ray_id }
}

/**
 * Reads the query of a request for events. Without `since` it selects the last day.
 * @throws Refusal naming the parameter
 */
function readEventQuery(query: URLSearchParams, now: number): EventQuery {
  const until = timeOf(query, 'until') ?? now
  const since = timeOf(query, 'since') ?? until - DAY
  if (since > until) {
    throw badParameter(
      query.has('until') ? 'since must not be later than until.' : 'since must not be in the future.',
    )
  }
  if (since < yearBefore(now)) throw badParameter('since must be at most one year back.')
  return { since, until, limit: limitOf(query), after: positionOf(query), matches: filters(query) }
}
