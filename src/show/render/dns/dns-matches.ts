import type { DnsRecord } from '../../../servers/cloudflare/shapes.js'
import { contentText, shortIds, ttlText } from './dns-records.js'

/** Most records that are listed; the rest is counted. */
const NAMED = 20
/** Shortest beginning of an identifier. */
const ID = 4

/** Matching records, one a line, each with the shortest beginning of its identifier that is unique: `5f1c… A 192.0.2.1 ttl 300`. */
export function matchLines(records: readonly DnsRecord[]): string[] {
  const ids = shortIds(
    records.map(({ id }) => id),
    ID,
  )
  const oneName = new Set(records.map(({ name }) => name)).size === 1
  const lines = records.slice(0, NAMED).map((record, i) => {
    const name = oneName ? '' : `${record.name} `
    return `${ids[i]}… ${record.type} ${name}${contentText(record)} ttl ${ttlText(record.ttl)}`
  })
  return records.length > NAMED ? [...lines, `and ${records.length - NAMED} more`] : lines
}
