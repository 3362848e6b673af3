import { ipv6 } from '../../records/addresses.js'
import { EVENT_ACTIONS, EVENT_IP_CLASSES, EVENT_KINDS, EVENT_PROTOCOLS, EVENT_SOURCES } from '../../shapes.js'
import { parseTimestamp } from '../../timestamp.js'
import { badParameter } from '../refusal.js'
import type { LoggedEvent } from './event-log.js'
import { KIND } from './written.js'

/** The options of a request for events. */
export interface EventQuery {
  /** Milliseconds since the epoch; both ends are included. */
  readonly since: number
  readonly until: number
  readonly limit: number
  readonly after: Position | undefined
  readonly matches: (event: LoggedEvent) => boolean
}

/** The last event of a page. */
export interface Position {
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

function yearBefore(ms: number): number {
  const date = new Date(ms)
  return date.setUTCFullYear(date.getUTCFullYear() - 1)
}

/** The allowed values of filters with a fixed set of values. */
const allowedValues: { readonly [name: string]: readonly string[] } = {
  kind: EVENT_KINDS,
  source: EVENT_SOURCES,
  action: EVENT_ACTIONS,
  ip_class: EVENT_IP_CLASSES,
  proto: EVENT_PROTOCOLS,
}

const FIELDS = [
  ...(['kind', 'source', 'action', 'ip', 'ip_class', 'country', 'colo', 'host', 'uri', 'ua'] as const),
  ...(['method', 'proto', 'scheme', 'ray_id', 'rule_id'] as const),
]

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
export const cursorOf = ({ at, ray_id }: Position): string =>
  Buffer.from(`${at}.${ray_id}`).toString('base64url')

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
export function readEventQuery(query: URLSearchParams, now: number): EventQuery {
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
