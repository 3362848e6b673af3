import { EVENT_SOURCES, GRAPHQL_ACTIONS, type SecurityEvent } from '../../shapes.js'
import { parseTimestamp, timestamp } from '../../timestamp.js'

/** A security event in a list. */
export interface ListedEvent extends SecurityEvent {
  /** Present when the event was logged and nothing was enforced. */
  readonly logged_only?: true
  /** The number of events that this one stands for, when the service counted them. Absent: one. */
  readonly times?: number
}

/** Actions that only log: `simulate`, and its newer name. */
const LOGGING: ReadonlySet<string> = new Set(['simulate', 'log'])

/** True for an action that logs and does not enforce. */
export const loggedOnly = (action: string): boolean => LOGGING.has(action)

/** The longest text of an event, in UTF-16 units. No request line or header is longer. */
const MAX_TEXT = 32_768

type Given = Readonly<Record<string, unknown>>

function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.slice(0, MAX_TEXT).toWellFormed() : ''
}

/** Reads a time as services write it: with a T or a space, and with `Z`, an offset or neither. */
function timeOf(value: unknown): string {
  const text = textOf(value)
  const at = parseTimestamp(text.replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T'))
  return at === undefined ? '' : timestamp(at)
}

function matchesOf(value: unknown): SecurityEvent['matches'] {
  if (!Array.isArray(value)) return []
  return value.flatMap(each => {
    if (typeof each !== 'object' || each === null) return []
    const { rule_id, source, action, metadata } = each as Given
    const known = typeof metadata === 'object' && metadata !== null ? (metadata as Given) : {}
    return [{ rule_id: textOf(rule_id), source: textOf(source), action: textOf(action), metadata: known }]
  })
}

function marked(event: SecurityEvent): ListedEvent {
  return loggedOnly(event.action) ? { ...event, logged_only: true } : event
}

/** Reads an event of the REST API. A member that is missing or not a text becomes empty. */
export function fromRest(given: Given): ListedEvent {
  return marked({
    ray_id: textOf(given.ray_id),
    kind: textOf(given.kind),
    source: textOf(given.source),
    action: textOf(given.action),
    rule_id: textOf(given.rule_id),
    ip: textOf(given.ip),
    ip_class: textOf(given.ip_class),
    country: textOf(given.country),
    colo: textOf(given.colo),
    host: textOf(given.host),
    method: textOf(given.method),
    proto: textOf(given.proto),
    scheme: textOf(given.scheme),
    ua: textOf(given.ua),
    uri: textOf(given.uri),
    occurred_at: timeOf(given.occurred_at),
    matches: matchesOf(given.matches),
  })
}

const restActions: ReadonlyMap<string, string> = new Map(
  Object.entries(GRAPHQL_ACTIONS).map(([rest, graphql]) => [graphql, rest]),
)
const restSources: ReadonlyMap<string, string> = new Map(
  EVENT_SOURCES.map(source => [source.toLowerCase(), source]),
)

/** Translates an action of GraphQL to its REST name: `block` is `drop`, `log` is `simulate`. */
export const restAction = (action: string): string => restActions.get(action) ?? action

/** Translates a source of GraphQL, which writes sources in lower case, to its REST name. */
export const restSource = (source: string): string => restSources.get(source.toLowerCase()) ?? source

/** Reads an event of GraphQL into the shape of the REST API. */
export function fromGraphql(given: Given): ListedEvent {
  const [action, source] = [restAction(textOf(given.action)), restSource(textOf(given.source))]
  const rule_id = textOf(given.ruleId)
  return marked({
    ray_id: textOf(given.rayName),
    kind: textOf(given.kind),
    source,
    action,
    rule_id,
    ip: textOf(given.clientIP),
    ip_class: textOf(given.clientIPClass),
    country: textOf(given.clientCountryName),
    colo: textOf(given.edgeColoName),
    host: textOf(given.clientRequestHTTPHost),
    method: textOf(given.clientRequestHTTPMethodName),
    proto: textOf(given.clientRequestHTTPProtocol),
    scheme: textOf(given.clientRequestScheme),
    ua: textOf(given.userAgent),
    uri: `${textOf(given.clientRequestPath)}${textOf(given.clientRequestQuery)}`,
    occurred_at: timeOf(given.datetime),
    matches: [{ rule_id, source, action, metadata: {} }],
  })
}

/** The time of an event, in milliseconds since the epoch; undefined when it has none. */
export const timeOfEvent = ({ occurred_at }: SecurityEvent): number | undefined => parseTimestamp(occurred_at)

/**
 * Returns a unique key for each event. One request can have several events, of several rules. Some services write events without a ray
 * id: the key of those is the whole event, with a number when several are equal.
 */
export function eventKeys(events: readonly SecurityEvent[]): string[] {
  const counts = new Map<string, number>()
  return events.map(event => {
    const { ray_id, rule_id, source, action, occurred_at } = event
    if (ray_id !== '') return JSON.stringify([ray_id, rule_id, source, action, occurred_at])
    const said = JSON.stringify(event)
    const nth = (counts.get(said) ?? 0) + 1
    counts.set(said, nth)
    return `${said} ${nth}`
  })
}
