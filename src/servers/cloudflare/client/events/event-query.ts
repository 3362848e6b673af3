import { BlockList, isIP } from 'node:net'
import { UsageError } from '../../../../protocol/errors.js'
import { nearestHint } from '../../../../protocol/nearest.js'
import { EVENT_ACTIONS, EVENT_KINDS, EVENT_SOURCES, type SecurityEvent } from '../../shapes.js'
import { parseTimestamp, yearBefore } from '../../timestamp.js'
import { restAction, restSource } from './event.js'

/** The events to find in a zone. */
export interface EventQuery {
  /** Identifier of the zone. */
  readonly zone: string
  readonly period: Period
  readonly filter: EventFilter
}

/** A filter for events. An absent list accepts every value. */
export interface EventFilter {
  readonly kind?: readonly string[]
  readonly source?: readonly string[]
  readonly action?: readonly string[]
  readonly country?: readonly string[]
  readonly host?: readonly string[]
  /** IP addresses and networks such as `203.0.113.0/24`. */
  readonly ip?: readonly string[]
}

/** A filter as typed: values separated by commas. */
type FilterWords = { readonly [Name in keyof EventFilter]?: string }

/** The values of the REST API, and the functions that translate GraphQL values to them. */
const known = {
  kind: { words: EVENT_KINDS, older: (word: string) => word },
  source: { words: EVENT_SOURCES, older: restSource },
  action: { words: EVENT_ACTIONS, older: restAction },
} as const

/** The form of an action, source or kind. The real service adds new values, so the form decides. */
const WORD = /^[A-Za-z][\w.-]{0,63}$/

function words(option: string, text: string): string[] {
  const all = text.split(',').map(each => each.trim())
  if (all.every(each => each === '')) throw new UsageError(`--${option} names nothing`)
  return [...new Set(all.filter(each => each !== ''))]
}

function meantWord(option: keyof typeof known, word: string, strict: boolean): string {
  const { words: all, older } = known[option]
  const found = all.find(each => each.toLowerCase() === word.toLowerCase())
  if (found !== undefined) return found
  // Every service accepts `block`. `log` is a REST value and was returned above.
  const meant = older(word)
  if (all.some(each => each === meant)) return meant
  if (!strict && WORD.test(word)) return word
  throw new UsageError(
    `--${option} ${JSON.stringify(word.slice(0, 60))} is not one of ${all.join(', ')}`,
    nearestHint(word, all),
  )
}

function network(text: string): string {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  const most = family === 6 ? 128 : 32
  if (family === 0 || address.includes('%') || (length !== undefined && Number(length) > most)) {
    throw new UsageError(`--ip ${JSON.stringify(text.slice(0, 60))} is no IP address or network`, [
      'Write it as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.',
    ])
  }
  return text
}

function country(text: string): string {
  // T1 (Tor) and XX (unknown) are not countries, but are written as such.
  if (/^[A-Za-z][A-Za-z\d]$/.test(text)) return text.toUpperCase()
  throw new UsageError(`--country ${JSON.stringify(text.slice(0, 60))} is no code of two letters, such as DE`)
}

function host(text: string): string {
  if (/^[^\s/@?#]{1,253}$/.test(text)) return text.toLowerCase().replace(/\.$/, '')
  throw new UsageError(
    `--host ${JSON.stringify(text.slice(0, 60))} is no host name, such as login.example.com`,
  )
}

/**
 * Reads a filter.
 * @param options.strict true for a service that knows only the values of the REST API
 * @throws UsageError
 */
export function readFilter(typed: FilterWords, { strict }: { readonly strict: boolean }): EventFilter {
  const read: { readonly [Name in keyof EventFilter]-?: (word: string) => string } = {
    kind: word => meantWord('kind', word, strict),
    source: word => meantWord('source', word, strict),
    action: word => meantWord('action', word, strict),
    country,
    host,
    ip: network,
  }
  return Object.fromEntries(
    (Object.keys(read) as (keyof EventFilter)[]).flatMap(name => {
      const text = typed[name]
      return text === undefined ? [] : [[name, words(name, text).map(read[name])]]
    }),
  )
}

function addressTest(networks: readonly string[]): (ip: string) => boolean {
  // Each family needs its own list: ::/0 would otherwise match every IPv4 address.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  const familyOf = (ip: string) => (isIP(ip) === 6 ? 'ipv6' : 'ipv4')
  for (const each of networks) {
    const [address = '', length] = each.split('/')
    const family = familyOf(address)
    lists[family].addSubnet(address, Number(length ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return ip => isIP(ip) !== 0 && lists[familyOf(ip)].check(ip, familyOf(ip))
}

/** Returns the test of a filter. Services filter only in part; this test decides. */
export function filterTest(filter: EventFilter): (event: SecurityEvent) => boolean {
  const tests: ((event: SecurityEvent) => boolean)[] = []
  for (const field of ['kind', 'source', 'action', 'country', 'host'] as const) {
    const wanted = filter[field]
    if (wanted === undefined) continue
    const all = new Set(wanted.map(each => each.toLowerCase()))
    tests.push(event => all.has(event[field].toLowerCase()))
  }
  if (filter.ip !== undefined) {
    const within = addressTest(filter.ip)
    tests.push(({ ip }) => within(ip))
  }
  return event => tests.every(test => test(event))
}

/** The period of a search, in milliseconds since the epoch; both ends are included. */
export interface Period {
  readonly since: number
  /** Absent: until now. */
  readonly until?: number
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The default start of a period. */
const USUAL_SINCE = '1h'

const EXAMPLES = 'Write how long ago, as 90m, 1h30m or 2d, or a time with a T, as 2026-01-31T08:00:00Z.'

/** Reads a duration with its largest unit first, such as `1h30m`, in milliseconds. Returns undefined for other texts. */
export function parseSpan(text: string): number | undefined {
  const parts = /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s)?$/.exec(text)
  if (!parts || text === '') return undefined
  const [, d = 0, h = 0, m = 0, s = 0] = parts
  const ms = Number(d) * UNITS.d! + Number(h) * UNITS.h! + Number(m) * UNITS.m! + Number(s) * UNITS.s!
  return ms > 0 ? ms : undefined
}

/** Returns the error for a text that is neither a duration nor a time. */
function wrongTime(option: string, text: string): UsageError {
  const shown = JSON.stringify(text.slice(0, 60))
  if (/^\d{4}-\d{2}-\d{2}[ _]\d/.test(text)) {
    const better = text.slice(0, 60).replace(/[ _]/, 'T')
    return new UsageError(`${option} ${shown} has no T between date and time`, [
      ...(parseTimestamp(better) === undefined ? [] : [`Write it as:   ${option} ${better}`]),
      EXAMPLES,
    ])
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    return new UsageError(`${option} ${shown} is a date without a time; it needs a T and the time`, [
      ...(parseTimestamp(`${text}T00:00:00Z`) === undefined
        ? []
        : [`Its first second is:   ${option} ${text}T00:00:00Z`]),
      EXAMPLES,
    ])
  }
  if (/^\d+$/.test(text)) return new UsageError(`${option} ${shown} has no unit`, [EXAMPLES])
  return new UsageError(`${option} ${shown} is no time`, [EXAMPLES])
}

function readTime(option: string, text: string, now: number): number {
  const ago = parseSpan(text)
  const at = ago === undefined ? parseTimestamp(text) : now - ago
  if (at === undefined) throw wrongTime(option, text)
  return at
}

const iso = (ms: number): string => new Date(ms).toISOString().replace('.000', '')

/**
 * Reads the period of `--since` and `--until`. Each is a length of time back from now, or an ISO 8601 time with a T.
 * @param now milliseconds since the epoch, by the clock of the service
 * @throws UsageError
 */
export function readPeriod(
  { since = USUAL_SINCE, until }: { readonly since?: string; readonly until?: string },
  now: number,
): Period {
  const from = readTime('--since', since, now)
  if (from > now) {
    throw new UsageError(`--since ${since} is in the future`, [`It is ${iso(now)} now.`, EXAMPLES])
  }
  if (from < yearBefore(now)) {
    throw new UsageError(`--since ${since} is more than a year back; events are kept for a year at most`, [
      `The earliest is ${iso(yearBefore(now))}`,
    ])
  }
  if (until === undefined) return { since: from }
  const to = readTime('--until', until, now)
  if (to < from) throw new UsageError(`--until ${until} is before --since ${since}`, [EXAMPLES])
  return { since: from, until: to }
}
