import { GRAPHQL_ACTIONS } from '../../shapes.js'
import { timestamp } from '../../timestamp.js'
import type { LoggedEvent } from '../security-events/event-log.js'
import { KIND } from '../security-events/written.js'

/** A value of an event in GraphQL. */
export type FieldValue = string | number

/** The index at which the path of a URI ends. */
const pathEnd = (uri: string): number => (uri.includes('?') ? uri.indexOf('?') : uri.length)

/** The time of an event, rounded down to whole minutes. */
const rounded =
  (minutes: number) =>
  ({ at }: LoggedEvent): string =>
    timestamp(at - (at % (minutes * 60_000)))

/** The times of an event, exact and rounded down. Groups by time have these dimensions alone. */
export const timeFields: { readonly [name: string]: (logged: LoggedEvent) => FieldValue } = {
  date: ({ at }) => timestamp(at).slice(0, 10),
  datetime: ({ at }) => timestamp(at),
  datetimeFifteenMinutes: rounded(15),
  datetimeFiveMinutes: rounded(5),
  datetimeHour: rounded(60),
  datetimeMinute: rounded(1),
}

/** The actions that end a request at the edge. The client gets 403, and the origin nothing. */
const ENDING: readonly string[] = ['block', 'drop', 'challenge', 'jschallenge', 'managed_challenge']

const ends = ({ event }: LoggedEvent): boolean => ENDING.includes(event.action)

/** The fields of `firewallEventsAdaptive` that a lab has values for. */
export const eventFields: { readonly [name: string]: (logged: LoggedEvent) => FieldValue } = {
  action: ({ event }) => GRAPHQL_ACTIONS[event.action] ?? event.action,
  clientASNDescription: ({ event }) => `EXAMPLE-${event.asn}`,
  clientAsn: ({ event }) => String(event.asn),
  clientCountryName: ({ event }) => event.country,
  clientIP: ({ event }) => event.ip,
  clientIPClass: ({ event }) => event.ip_class,
  clientRequestHTTPHost: ({ event }) => event.host,
  clientRequestHTTPMethodName: ({ event }) => event.method,
  clientRequestHTTPProtocol: ({ event }) => event.proto,
  clientRequestPath: ({ event: { uri } }) => uri.slice(0, pathEnd(uri)),
  clientRequestQuery: ({ event: { uri } }) => uri.slice(pathEnd(uri)),
  clientRequestScheme: ({ event }) => event.scheme,
  ...timeFields,
  edgeResponseStatus: logged => (ends(logged) ? 403 : 200),
  edgeColoName: ({ event }) => event.colo,
  kind: () => KIND,
  matchIndex: () => 0,
  originResponseStatus: logged => (ends(logged) ? 0 : 200),
  rayName: ({ ray_id }) => ray_id,
  ruleId: ({ event }) => event.rule_id,
  sampleInterval: () => 1,
  source: ({ event }) => event.source.toLowerCase(),
  userAgent: ({ event }) => event.ua,
}

/** The reader of a field of an event; undefined when there is no such field. */
export function eventField(name: string): ((logged: LoggedEvent) => FieldValue) | undefined {
  return Object.hasOwn(eventFields, name) ? eventFields[name] : undefined
}
