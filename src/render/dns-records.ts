import type { DnsRecord } from '../cloudflare/shapes.js'
import { foreign } from './safe.js'
import type { Signs } from './signs.js'
import { cutEnd, pad, width } from './text.js'

/** What a record says, in one text. */
export type Told = Pick<DnsRecord, 'type' | 'name' | 'content' | 'priority' | 'ttl' | 'proxied'>

/** Seconds, or that the service chooses. */
export const ttlText = (ttl: number): string => (ttl === 1 ? 'automatic' : String(ttl))

/** Content with its priority, where that stands beside it. */
export function contentText({ type, content, priority }: Told): string {
  return priority === undefined || type === 'SRV' ? content : `${priority} ${content}`
}

/** How a record is treated: `ttl 120, not proxied`. */
export function treatment({ ttl, proxied }: Pick<DnsRecord, 'ttl' | 'proxied'>): string {
  return `ttl ${ttlText(ttl)}, ${proxied ? 'proxied' : 'not proxied'}`
}

/** The beginnings that tell these identifiers apart, at least so long. */
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
export function recordLine(record: Told, signs: Signs): string {
  const { type, name } = record
  return `${foreign(`${type} ${name}`, signs)}   ${foreign(contentText(record), signs)}   (${treatment(record)})`
}

/** Shortest identifier in a table. */
const ID = 8
/** The content is never cut shorter. */
const LEAST_CONTENT = 12

/**
 * Records as a table.
 * @param columns the content is cut so that lines fit; left out: nothing is cut
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
  const all = [['TYPE', 'NAME', 'CONTENT', 'TTL', 'PROXIED', 'ID', 'COMMENT'], ...rows]
  const widths = all[0]!.map((_, i) => Math.max(...all.map(row => width(row[i]!))))
  const others = widths.reduce((sum, each, i) => (i === 2 ? sum : sum + each + 2), 0)
  const content =
    columns === undefined ? widths[2]! : Math.min(widths[2]!, Math.max(LEAST_CONTENT, columns - others))
  return all.map(row =>
    row
      .map((cell, i) =>
        i === 2 ? pad(cutEnd(cell, content, signs.ellipsis), content) : pad(cell, widths[i]!),
      )
      .join('  ')
      .trimEnd(),
  )
}
