import { foreign } from '../../../protocol/safe-output/safe.js'
import type { DnsRecord } from '../../../servers/cloudflare/shapes.js'
import type { CsvColumns } from '../text/list-text.js'
import type { Signs } from '../text/signs.js'
import { cutEnd, pad, width } from '../text/text.js'

/** The members of a record that its text shows. */
export type ShownRecord = Pick<DnsRecord, 'type' | 'name' | 'content' | 'priority' | 'ttl' | 'proxied'>

/** A TTL in seconds, or `automatic`. */
export const ttlText = (ttl: number): string => (ttl === 1 ? 'automatic' : String(ttl))

/** Content, with the priority that the service keeps beside it. */
export function contentText({ type, content, priority }: ShownRecord): string {
  return priority === undefined || type === 'SRV' ? content : `${priority} ${content}`
}

/** TTL and proxying of a record: `ttl 120, not proxied`. */
export function treatment({ ttl, proxied }: Pick<DnsRecord, 'ttl' | 'proxied'>): string {
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
const ID = 8
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
    ID,
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
