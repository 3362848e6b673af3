import { BlockList, isIP } from 'node:net'
import { UsageError } from '../../../../protocol/errors.js'
import { EVENT_ACTIONS, EVENT_KINDS, EVENT_SOURCES, type SecurityEvent } from '../../shapes.js'
import { restAction, restSource } from './event.js'

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
export type FilterWords = { readonly [Name in keyof EventFilter]?: string }

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
  throw new UsageError(`--${option} ${JSON.stringify(word.slice(0, 60))} is not one of ${all.join(', ')}`)
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
