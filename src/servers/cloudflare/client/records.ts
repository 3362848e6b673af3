import { unreadable } from '../../../client/json-answer.js'
import { isJsonObject } from '../../../protocol/values.js'
import type { DnsRecord } from '../shapes.js'
import { allPages } from './pages.js'
import type { Query } from './requests.js'
import type { Service } from './service.js'

/** The page size of lists. This default of the service keeps answers small. */
const PER_PAGE = 100

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string') : []

/**
 * Reads a record of a service. Missing members get their defaults.
 * @throws TransportError for a value that is no record
 */
export function readRecordAnswer(value: unknown, { access }: Service): DnsRecord {
  const given = isJsonObject(value) ? value : {}
  const { id, type, name, content, proxied, proxiable, ttl, comment, priority, tags } = given
  if (![id, type, name].every(each => typeof each === 'string' && each !== '')) {
    throw unreadable(`${access.base} answered with a record that has no id, type or name`)
  }
  return {
    ...(given as unknown as DnsRecord),
    content: typeof content === 'string' ? content : '',
    proxiable: proxiable === true,
    proxied: proxied === true,
    ttl: typeof ttl === 'number' ? ttl : 1,
    ...(priority !== undefined && { priority: Number(priority) }),
    comment: typeof comment === 'string' ? comment : null,
    tags: texts(tags),
    settings: isJsonObject(given.settings) ? (given.settings as DnsRecord['settings']) : {},
  }
}

/** Returns the path of the records of a zone, or of one record. */
export function recordsPath(zone: string, record?: string): string {
  const path = `/zones/${encodeURIComponent(zone)}/dns_records`
  return record === undefined ? path : `${path}/${encodeURIComponent(record)}`
}

/** Lists all records of a zone that match a query. */
export async function listRecords(service: Service, zone: string, query: Query = {}): Promise<DnsRecord[]> {
  const records = await allPages<unknown>(service, recordsPath(zone), query, PER_PAGE)
  return records.map(each => readRecordAnswer(each, service))
}

/** Returns one record. */
export async function getRecord(service: Service, zone: string, id: string): Promise<DnsRecord> {
  const { result } = await service.request<unknown>({ method: 'GET', path: recordsPath(zone, id) })
  return readRecordAnswer(result, service)
}
