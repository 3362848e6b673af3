import { foreign, makeSafe } from '../../../protocol/safe-output/safe.js'
import type { Change, Difference, Plan } from '../../../servers/cloudflare/client/plan.js'
import type { Verified } from '../../../servers/cloudflare/client/verify.js'
import type { DnsRecord, Zone } from '../../../servers/cloudflare/shapes.js'
import type { CsvColumns } from '../text/list-text.js'
import type { Signs } from '../text/signs.js'
import { cutEnd, pad, tableLines, width } from '../text/text.js'

/** The members of a record that its text shows. */
type ShownRecord = Pick<DnsRecord, 'type' | 'name' | 'content' | 'priority' | 'ttl' | 'proxied'>

/** A TTL in seconds, or `automatic`. */
const ttlText = (ttl: number): string => (ttl === 1 ? 'automatic' : String(ttl))

/** Content, with the priority that the service keeps beside it. */
function contentText({ type, content, priority }: ShownRecord): string {
  return priority === undefined || type === 'SRV' ? content : `${priority} ${content}`
}

/** TTL and proxying of a record: `ttl 120, not proxied`. */
function treatment({ ttl, proxied }: Pick<DnsRecord, 'ttl' | 'proxied'>): string {
  return `ttl ${ttlText(ttl)}, ${proxied ? 'proxied' : 'not proxied'}`
}

/** The shortest unique beginnings of identifiers, with at least `least` characters. */
export function shortIds(ids: readonly string[], least: number): string[] {
  const sorted = [...new Set(ids)].sort()
  const needed = new Map<string, number>()
  const shared = (a: string, b = '') => {
    let n = 0
    while (n < a.length && a[n] === b[n]) n++
    return n
  }
  for (const [i, id] of sorted.entries()) {
    needed.set(id, Math.max(least, 1 + shared(id, sorted[i - 1]), 1 + shared(id, sorted[i + 1])))
  }
  return ids.map(id => id.slice(0, needed.get(id)))
}

/** One line for one record, without its identifier: `A home.example.com   203.0.113.1   (ttl 120, not proxied)`. */
export function recordLine(record: ShownRecord, signs: Signs): string {
  const { type, name } = record
  return `${foreign(`${type} ${name}`, signs)}   ${foreign(contentText(record), signs)}   (${treatment(record)})`
}

/** Shortest identifier in a table. */
const ID_COLUMNS = 8
/** Least columns of the content. A comment with fewer columns is left out. */
const LEAST_CONTENT = 12
const LEAST_COMMENT = 8
const HEADINGS = ['TYPE', 'NAME', 'CONTENT', 'TTL', 'PROXIED', 'ID', 'COMMENT']
const CONTENT = HEADINGS.indexOf('CONTENT')
const COMMENT = HEADINGS.indexOf('COMMENT')

/**
 * Records as a table.
 * @param columns of the terminal; content and comment are cut to fit. Left out, nothing is cut
 */
export function recordTable(records: readonly DnsRecord[], signs: Signs, columns?: number): string[] {
  const ids = shortIds(
    records.map(({ id }) => id),
    ID_COLUMNS,
  )
  const rows = records.map((record, i) =>
    [
      record.type,
      record.name,
      contentText(record),
      record.ttl === 1 ? 'auto' : String(record.ttl),
      record.proxied ? 'yes' : 'no',
      ids[i]!,
      record.comment ?? '',
    ].map(text => foreign(text, signs)),
  )
  const all = [HEADINGS, ...rows]
  const widths = HEADINGS.map((_, i) => all.reduce((most, row) => Math.max(most, width(row[i]!)), 0))
  if (columns !== undefined) {
    const others = widths.reduce((sum, each, i) => sum + (i === CONTENT || i === COMMENT ? 0 : each + 2), 0)
    widths[CONTENT] = Math.min(widths[CONTENT]!, Math.max(LEAST_CONTENT, columns - others))
  }
  const room = (columns ?? Number.POSITIVE_INFINITY) - widths.slice(0, COMMENT).reduce((a, b) => a + b + 2, 0)
  const commented = room >= LEAST_COMMENT && records.some(({ comment }) => comment !== null)
  const line = (row: readonly string[]) =>
    row
      .slice(0, commented ? undefined : COMMENT)
      .map((cell, i) => (i === COMMENT ? cell : pad(cutEnd(cell, widths[i]!, signs.ellipsis), widths[i]!)))
      .join('  ')
      .trimEnd()
  return all.map(row => (columns === undefined ? line(row) : cutEnd(line(row), columns, signs.ellipsis)))
}

/** The columns of a CSV of records. */
export const RECORD_COLUMNS: CsvColumns<DnsRecord> = [
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ['name', ({ name }) => name],
  ['content', ({ content }) => content],
  ['priority', ({ priority }) => priority],
  ['ttl', ({ ttl }) => ttl],
  ['proxied', ({ proxied }) => proxied],
  ['comment', ({ comment }) => comment],
  ['tags', ({ tags }) => tags.join(' ')],
  ['created_on', ({ created_on: at }) => at],
  ['modified_on', ({ modified_on: at }) => at],
]

function valueText({ field }: Difference, value: unknown): string {
  if (field === 'proxied') return value ? 'proxied' : 'not proxied'
  if (field === 'ttl') return ttlText(Number(value))
  if (field === 'comment') return value === null ? 'none' : JSON.stringify(value)
  if (field === 'content') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return JSON.stringify(value)
}

function differenceText(difference: Difference, signs: Signs): string {
  const { field, before, after } = difference
  const [from, to] = [before, after].map(value => foreign(valueText(difference, value), signs))
  const name = field === 'proxied' ? '' : `${field} `
  return `${name}${from} ${signs.to} ${to}`
}

/** A change, after the name of its record. */
function changeText(change: Change, signs: Signs): string {
  if (change.action === 'delete') return recordLine(change.before, signs)
  const { fields } = change.wanted
  if (change.action === 'add') return recordLine(fields, signs)
  const { before, differences } = change
  const moved = new Set<string>(differences.map(({ field }) => field))
  const facts = treatment(before)
    .split(', ')
    .filter(fact => !moved.has(fact.startsWith('ttl') ? 'ttl' : 'proxied'))
  return [
    foreign(`${before.type} ${before.name}`, signs),
    differences.map(each => differenceText(each, signs)).join(', '),
    ...(facts.length === 0 ? [] : [`(${facts.join(', ')})`]),
  ].join('   ')
}

const marks = { add: '+', change: '~', delete: '-' } as const
const past = { add: 'created', change: 'updated', delete: 'deleted' } as const

/** Planned changes, a line a record: `~ A home.example.com   content … → …`. */
export function planLines(changes: readonly Change[], signs: Signs): string[] {
  return changes.map(change => `${marks[change.action]} ${changeText(change, signs)}`)
}

/** Changes that were made, a line a record: `updated A home.example.com   content … → …`. */
export function doneLines(changes: readonly Change[], signs: Signs): string[] {
  return changes.map(change => `${past[change.action]} ${changeText(change, signs)}`)
}

const VERBS = {
  planned: { change: 'to change', add: 'to add', delete: 'to delete' },
  done: { change: 'changed', add: 'added', delete: 'deleted' },
} as const

/** `1 to change, 0 to add, 0 to delete.`, or `1 changed, 0 added, 0 deleted.` */
export function countText(changes: readonly Change[], tense: keyof typeof VERBS): string {
  const parts = (['change', 'add', 'delete'] as const).map(
    action => `${changes.filter(each => each.action === action).length} ${VERBS[tense][action]}`,
  )
  return `${parts.join(', ')}.`
}

/**
 * The records that a plan does not change, in a sentence with a space before it; empty when there are no such records.
 */
export function restText({ unchanged, extra }: Plan, { prune }: { readonly prune?: boolean }): string {
  const deletes = prune ? '' : ` (--prune deletes ${extra.length === 1 ? 'it' : 'them'})`
  const parts = [
    ...(unchanged.length === 0 ? [] : [`${unchanged.length} unchanged`]),
    ...(extra.length === 0 ? [] : [`${extra.length} only in the zone${deletes}`]),
  ]
  return parts.length === 0 ? '' : ` ${parts.join(', ')}.`
}

/** A dry run for people: what would be done, and that nothing was sent. */
export function dryRunLines(changes: readonly Change[], signs: Signs): string[] {
  return [...planLines(changes, signs), `${countText(changes, 'planned')} Nothing was sent (--dry-run).`]
}

function changeJson(change: Change): object {
  const { action } = change
  if (action === 'delete') return { action, record: change.before }
  const { fields } = change.wanted
  if (action === 'add') return { action, record: fields }
  return { action, record: change.before, differences: change.differences }
}

/** The plan for a zone as JSON. */
export function planJson(zone: string, { changes, unchanged, extra }: Plan, applied: boolean): object {
  return {
    zone,
    applied,
    changes: changes.map(changeJson),
    unchanged: unchanged.length,
    only_in_zone: extra,
  }
}

/** Most zones that are named; the rest is counted. */
const NAMED = 8

function who({ kind, from, email, status, id, expires_on: ends }: Verified['credentials']): string {
  const what = kind === 'key' ? `API key of ${email}` : 'API token'
  const facts = [
    `from ${from}`,
    ...(status === undefined ? [] : [status]),
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(ends === undefined ? [] : [`until ${ends}`]),
  ]
  return `${what} (${facts.join(', ')})`
}

function reached(zones: Verified['zones']): string {
  if (zones.length === 0) return 'none'
  const names = zones.slice(0, NAMED).map(({ name }) => name)
  return `${zones.length}: ${names.join(', ')}${zones.length > NAMED ? ', and more' : ''}`
}

function left(budget: Verified['rate_budget']): string {
  if (budget?.left === undefined) return 'the service does not say'
  const { quota, windowSeconds, resetSeconds } = budget
  return [
    `${budget.left}${quota === undefined ? '' : ` of ${quota}`} requests left`,
    ...(windowSeconds === undefined ? [] : [`a window of ${windowSeconds} s`]),
    ...(resetSeconds === undefined ? [] : [`resets in ${resetSeconds} s`]),
  ].join(', ')
}

/** The result of `cf verify` for people. It holds no secret. */
export function dnsVerifyLines(verified: Verified, signs: Signs): string[] {
  const { service, via, credentials, zones, rate_budget: budget } = verified
  const rows = [
    ['Service', `${service} (${via})`],
    ['Credentials', who(credentials)],
    ['Zones', reached(zones)],
    ['Rate budget', left(budget)],
  ]
  return tableLines(rows.map(row => row.map(each => foreign(each, signs))))
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const nameServers = ({ name_servers: servers }: Zone): string =>
  (Array.isArray(servers) ? servers : []).map(text).join(' ')

/** The columns of a CSV of zones. */
export const ZONE_COLUMNS: CsvColumns<Zone> = [
  ['name', ({ name }) => name],
  ['id', ({ id }) => id],
  ['status', ({ status }) => text(status)],
  ['name_servers', nameServers],
]

/** Zones as a table. */
export function zoneTable(zones: readonly Zone[]): string[] {
  const rows = zones.map(zone => ZONE_COLUMNS.map(([, cell]) => makeSafe(String(cell(zone))) || '-'))
  return tableLines([['NAME', 'ID', 'STATUS', 'NAME SERVERS'], ...rows])
}

/** Most records that are listed; the rest is counted. */
const SHOWN_MATCHES = 20
/** Shortest beginning of an identifier. */
const ID = 4

/** Matching records, one a line, each with the shortest beginning of its identifier that is unique: `5f1c… A 192.0.2.1 ttl 300`. */
export function matchLines(records: readonly DnsRecord[]): string[] {
  const ids = shortIds(
    records.map(({ id }) => id),
    ID,
  )
  const oneName = new Set(records.map(({ name }) => name)).size === 1
  const lines = records.slice(0, SHOWN_MATCHES).map((record, i) => {
    const name = oneName ? '' : `${record.name} `
    return `${ids[i]}… ${record.type} ${name}${contentText(record)} ttl ${ttlText(record.ttl)}`
  })
  return records.length > SHOWN_MATCHES ? [...lines, `and ${records.length - SHOWN_MATCHES} more`] : lines
}
