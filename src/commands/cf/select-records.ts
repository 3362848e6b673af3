import { getRecord, listRecords } from '../../cloudflare/client/records.js'
import { ClientRefusal } from '../../cloudflare/client/refusal.js'
import type { Service } from '../../cloudflare/client/service.js'
import { contentKey } from '../../cloudflare/client/wanted.js'
import { zoneLabel } from '../../cloudflare/client/zones.js'
import { recordName } from '../../cloudflare/records/names.js'
import type { DnsRecord, Zone } from '../../cloudflare/shapes.js'
import { UsageError } from '../../errors.js'
import { contentText } from '../../render/dns-records.js'
import { matchLines } from './matches.js'

/** What records are like. */
export interface Selector {
  readonly type?: string
  readonly name?: string
  readonly content?: string
}

/** A selector in words: `two.example.com`, `A two`, `TXT`. */
export function selectorText({ type, name, content }: Selector): string {
  return [type?.toUpperCase(), name, content].filter(each => each !== undefined).join(' ')
}

/**
 * The records that are like that. The service is asked for less than all, and its answer is looked through again:
 * one that knows no filters must not make more match.
 */
export async function recordsThatMatch(
  service: Service,
  zone: Zone,
  selector: Selector,
): Promise<DnsRecord[]> {
  const type = selector.type?.toUpperCase()
  const name = selector.name === undefined ? undefined : recordName(selector.name, zone.name)
  if (selector.name !== undefined && name === undefined) {
    throw new UsageError(`--name ${JSON.stringify(selector.name)} is no name of a record`)
  }
  const records = await listRecords(service, zone.id, { type, name })
  const { content } = selector
  const says = (record: DnsRecord) =>
    content === undefined ||
    [record.content, contentText(record)].includes(content) ||
    contentKey(record, zone.name) === contentKey({ ...withoutData(record), content }, zone.name)
  return records.filter(
    record =>
      (type === undefined || record.type === type) &&
      (name === undefined || record.name === name) &&
      says(record),
  )
}

const withoutData = ({ type, content, priority }: DnsRecord) => ({
  type,
  content,
  ...(priority !== undefined && { priority }),
})

const whole = /^[0-9a-f]{32}$/
const beginning = /^[0-9a-f]{4,31}$/

/**
 * The records with these identifiers, or whose identifiers begin so.
 * @throws UsageError for what is no identifier; ClientRefusal for none and for several; ApiRefusal
 */
export async function recordsOfIds(
  service: Service,
  zone: Zone,
  ids: readonly string[],
): Promise<DnsRecord[]> {
  const asked = [...new Set(ids.map(id => id.toLowerCase().replace(/(…|\.\.\.)$/, '')))]
  const wrong = asked.find(id => !whole.test(id) && !beginning.test(id))
  if (wrong !== undefined) {
    throw new UsageError(`${JSON.stringify(wrong)} is no identifier of a record`, [
      'It has 32 hexadecimal digits, of which the first four may be enough:   oauth-lab cf dns list',
    ])
  }
  const all = asked.every(id => whole.test(id)) ? undefined : await listRecords(service, zone.id)
  const found: DnsRecord[] = []
  for (const id of asked) {
    if (all === undefined) {
      found.push(await getRecord(service, zone.id, id))
      continue
    }
    const matches = all.filter(record => record.id.startsWith(id))
    if (matches.length === 0)
      throw new ClientRefusal(`no record of ${zoneLabel(zone)} has an id that begins with ${id}`)
    if (matches.length > 1) {
      throw new ClientRefusal(
        `${matches.length} records have ids that begin with ${id}:`,
        matchLines(matches),
      )
    }
    found.push(matches[0]!)
  }
  return [...new Map(found.map(record => [record.id, record])).values()]
}
