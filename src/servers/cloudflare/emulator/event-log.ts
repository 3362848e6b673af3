import type { SecurityEvent } from '../shapes.js'
import { timestamp } from '../timestamp.js'
import type { EmulatorPorts, PastEvent } from './settings.js'

/** A security event with its time. */
export interface LoggedEvent {
  readonly ray_id: string
  /** Milliseconds since the epoch, whole seconds. */
  readonly at: number
  /** The other members. Repeated events share one object. */
  readonly event: PastEvent
}

/** The security events of a zone. */
export interface EventLog {
  /** Returns the events until now, newest first. */
  read(): Promise<readonly LoggedEvent[]>
}

/** Shortest and longest time between two new events, in milliseconds. */
const MIN_PAUSE = 3000
const MAX_PAUSE = 8000

/** Largest number of kept events. A read makes new events for at most the last day. */
const MAX_EVENTS = 10_000
const DAY = 86_400_000

const wholeSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000

/** A number from 0 to less than 1, made of four random bytes. */
const fraction = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32

/** The events that new ones are copies of: those of the last hour, or all when there are none. */
function templatesOf(past: readonly PastEvent[]): PastEvent[] {
  const recent = past.filter(({ ago_s }) => ago_s <= 3600)
  return recent.length > 0 ? recent : [...past]
}

/**
 * Creates the events of the last day, and every 3 to 8 s a new one like those of the last hour. The times of the past
 * events count back from the first read, so the last hour always has events. New events are made at the next read, from
 * the clock, so no timer runs.
 */
export function createEventLog(
  { now, random, pastEvents }: Pick<EmulatorPorts, 'now' | 'random' | 'pastEvents'>,
  { zone, hostile = false }: { readonly zone: string; readonly hostile?: boolean },
): EventLog {
  let opened: Promise<LoggedEvent[]> | undefined
  let templates: PastEvent[] = []
  let next = Number.POSITIVE_INFINITY

  const pause = () => MIN_PAUSE + fraction(random(4)) * (MAX_PAUSE - MIN_PAUSE)
  const inZone = (event: PastEvent): PastEvent => ({
    ...event,
    host: event.host.replace(/(?<=^|\.)example\.com$/, zone),
  })

  async function open(): Promise<LoggedEvent[]> {
    const past = (await pastEvents()).map(inZone)
    const all = hostile ? [hostileEvent(zone), ...past] : past
    const start = now()
    templates = templatesOf(past)
    next = start + pause()
    return all
      .map(event => ({ ray_id: event.ray_id, at: wholeSeconds(start - event.ago_s * 1000), event }))
      .sort((a, b) => a.at - b.at)
  }

  function newEvent(): LoggedEvent {
    const event = templates[Math.floor(fraction(random(4)) * templates.length)]!
    return { ray_id: Buffer.from(random(8)).toString('hex'), at: wholeSeconds(next), event }
  }

  return {
    async read() {
      opened ??= open()
      const log = await opened
      const at = now()
      if (next < at - DAY) next = at - DAY
      while (next <= at && templates.length > 0) {
        log.push(newEvent())
        next += pause()
      }
      if (log.length > MAX_EVENTS) log.splice(0, log.length - MAX_EVENTS)
      // After the clock was set back, later events have not happened yet.
      return log.filter(each => each.at <= at).reverse()
    },
  }
}

/** An event whose text harms programs that print it unescaped: terminals, spreadsheets, chats and logs. */
function hostileEvent(zone: string): PastEvent {
  return {
    ago_s: 12,
    ray_id: 'bad0c0ffeebad0c0',
    source: 'waf',
    action: 'simulate',
    rule_id: 'bad0c0ffeebad0c0ffeebad0c0ffee00',
    ip: '203.0.113.66',
    ip_class: 'badHost',
    asn: 64511,
    country: 'XX',
    colo: 'FRA',
    host: `www.${zone}`,
    method: 'GET',
    proto: 'HTTP/1.1',
    scheme: 'https',
    uri: '/?q=<!channel>&r=<https://evil.example|click>\r\nX-Injected: yes\u202egpj.exe',
    ua: '=HYPERLINK("https://evil.example","open")\u001b[2J\u001b]0;owned\u0007\u001b[31m<!here>\u0000',
  }
}

/** The kind of every event. */
export const KIND = 'firewall'

/** An event as the REST API writes it. */
export function written({ ray_id, at, event }: LoggedEvent): SecurityEvent {
  const { source, action, rule_id, ip, ip_class, country, colo, host, method, proto, scheme, ua, uri } = event
  return {
    ray_id,
    kind: KIND,
    source,
    action,
    rule_id,
    ip,
    ip_class,
    country,
    colo,
    host,
    method,
    proto,
    scheme,
    ua,
    uri,
    occurred_at: timestamp(at),
    matches: [{ rule_id, source, action, metadata: {} }],
  }
}
