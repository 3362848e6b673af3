import { unreadable } from '../../../client/json-answer.js'
import { UsageError } from '../../../protocol/errors.js'
import { isJsonObject } from '../../../protocol/values.js'
import { recordName } from '../records/names.js'
import type { DnsRecord, Zone } from '../shapes.js'
import { contentKey, shownContent } from './plan.js'
import { allPages, ClientRefusal, type Query, type Service } from './service.js'
import { zoneLabel } from './zones.js'

/** The page size of lists. An answer has some 400 kB then, and a zone of 50,000 records 50 pages. */
const PER_PAGE = 1000

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
async function getRecord(service: Service, zone: string, id: string): Promise<DnsRecord> {
  const { result } = await service.request<unknown>({ method: 'GET', path: recordsPath(zone, id) })
  return readRecordAnswer(result, service)
}

/** The properties that select records. */
interface Selector {
  readonly type?: string
  readonly name?: string
  readonly content?: string
}

/** The selection of a run, by identifiers or by properties. */
interface Selection extends Selector {
  readonly ids: readonly string[]
  /** True when a selector may match several records. */
  readonly all?: boolean
}

/** Formats the records below a refusal, one per line. */
export type ListMatches = (records: readonly DnsRecord[]) => string[]

/** Checks a selection. @throws UsageError for no selection, and for both identifiers and properties */
export function checkSelection({ ids, type, name, content, all }: Selection): void {
  const selects = [type, name, content].some(each => each !== undefined)
  if (ids.length > 0 && (selects || all)) {
    throw new UsageError('identifiers and what records are like are two ways to choose them', [
      'Leave one out',
    ])
  }
  if (ids.length === 0 && !selects) {
    throw new UsageError('which records? Nothing is deleted without an id, --type, --name or --content', [
      'Those there are:   oauth-lab cf dns list',
    ])
  }
}

/**
 * Finds the records that a selector matches. The filters of the service only shorten its answer: this program compares each record, because a service
 * may ignore filters.
 */
async function recordsThatMatch(service: Service, zone: Zone, selector: Selector): Promise<DnsRecord[]> {
  const { content } = selector
  const type = selector.type?.toUpperCase()
  const name = selector.name === undefined ? undefined : recordName(selector.name, zone.name)
  if (selector.name !== undefined && name === undefined) {
    throw new UsageError(`--name ${JSON.stringify(selector.name)} is no name of a record`)
  }
  const sameContent = (record: DnsRecord): boolean => {
    if (content === undefined || [record.content, shownContent(record)].includes(content)) return true
    const { data: _, ...plain } = record
    return contentKey(record, zone.name) === contentKey({ ...plain, content }, zone.name)
  }
  const records = await listRecords(service, zone.id, { type, name })
  return records.filter(
    record =>
      (type === undefined || record.type === type) &&
      (name === undefined || record.name === name) &&
      sameContent(record),
  )
}

const whole = /^[0-9a-f]{32}$/
const beginning = /^[0-9a-f]{4,31}$/

/** Finds records by their identifiers, or by the beginnings of identifiers. */
async function recordsOfIds(
  service: Service,
  zone: Zone,
  ids: readonly string[],
  listMatches: ListMatches,
): Promise<DnsRecord[]> {
  const asked = [...new Set(ids.map(id => id.toLowerCase().replace(/(…|\.\.\.)$/, '')))]
  const wrong = asked.find(id => !whole.test(id) && !beginning.test(id))
  if (wrong !== undefined) {
    throw new UsageError(`${JSON.stringify(wrong)} is no identifier of a record`, [
      'It has 32 hexadecimal digits, of which the first four may be enough:   oauth-lab cf dns list',
    ])
  }
  const all = asked.every(id => whole.test(id)) ? undefined : await listRecords(service, zone.id)
  const records = new Map<string, DnsRecord>()
  for (const id of asked) {
    const matches = all?.filter(record => record.id.startsWith(id)) ?? [await getRecord(service, zone.id, id)]
    const [record, another] = matches
    if (record === undefined)
      throw new ClientRefusal(`no record of ${zoneLabel(zone)} has an id that begins with ${id}`)
    if (another !== undefined) {
      throw new ClientRefusal(
        `${matches.length} records have ids that begin with ${id}:`,
        listMatches(matches),
      )
    }
    records.set(record.id, record)
  }
  return [...records.values()]
}

/**
 * Finds the records of a selection.
 * @throws UsageError for a text that is no identifier or name; ClientRefusal for no match, and for several without `all`; ApiRefusal
 */
export async function selectRecords(
  service: Service,
  zone: Zone,
  selection: Selection,
  listMatches: ListMatches,
): Promise<DnsRecord[]> {
  const { ids, all, type, name, content } = selection
  if (ids.length > 0) return recordsOfIds(service, zone, ids, listMatches)
  const records = await recordsThatMatch(service, zone, selection)
  const text = [type?.toUpperCase(), name, content].filter(each => each !== undefined).join(' ')
  if (records.length === 0) throw new ClientRefusal(`no record matches ${text}`)
  if (records.length === 1 || all) return records
  throw new ClientRefusal(
    `${records.length} records match ${text}; name one by id or add --all:`,
    listMatches(records),
  )
}
