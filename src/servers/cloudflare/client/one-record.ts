import { UsageError } from '../../../protocol/errors.js'
import { nearestHint } from '../../../protocol/nearest.js'
import { domainName } from '../records/names.js'
import type { GivenRecord } from '../records/record.js'
import { RecordError } from '../records/record-types.js'
import { type DnsRecord, RECORD_TYPES, type Zone } from '../shapes.js'
import {
  type Change,
  contentKey,
  creationBody,
  type Difference,
  differences,
  planProblems,
  type Wanted,
  wantedRecord,
} from './plan.js'
import { type ListMatches, listRecords, readRecordAnswer, recordsPath } from './records.js'
import { ClientRefusal, type Service } from './service.js'
import { nameOfZone } from './zones.js'

/**
 * Reads a record by the rules of the service. Calls `refused` for a record that the rules refuse, and returns its result.
 * @throws errors of `refused`
 */
function readBy<Otherwise>(given: GivenRecord, zone: string, refused: (error: RecordError) => Otherwise) {
  try {
    return wantedRecord(given, zone)
  } catch (error) {
    if (error instanceof RecordError) return refused(error)
    throw error
  }
}

/** Checks a record. @throws ClientRefusal with the message and code of the service */
const checkedRecord = (given: GivenRecord, zone: string): Wanted =>
  readBy(given, zone, ({ message, code }) => {
    const isType = code === 9004
    throw new ClientRefusal(
      `${message} (${code})`,
      isType ? nearestHint(String(given.type), RECORD_TYPES) : [],
    )
  })

/**
 * Checks that a full name, which ends with a dot, is in the zone: the service would append the zone to a name outside of it.
 * @throws UsageError
 */
function checkWithin(name: string, { name: zone }: Zone): void {
  const full = name.endsWith('.') ? domainName(name) : undefined
  if (full === undefined || zone === '' || full === zone || full.endsWith(`.${zone}`)) return
  throw new UsageError(`${full} is not within the zone ${zone}`, ['Another zone:   --zone NAME'])
}

/** The plan for one record. */
export interface RecordPlan {
  readonly wanted: Wanted
  /** The change to make. Undefined when the zone already has the wanted record. */
  readonly change: Change | undefined
  /** The record that the plan changes or keeps. */
  readonly before: DnsRecord | undefined
  readonly differences: readonly Difference[]
  /** Other records of the same name. */
  readonly beside: readonly DnsRecord[]
}

/** A record as given, with a name. */
export type NamedRecord = GivenRecord & { readonly name: string }

async function recordsOfName(service: Service, { id }: Zone, name: string): Promise<DnsRecord[]> {
  return (await listRecords(service, id, { name })).filter(each => each.name === name)
}

/** Finds the record to change. Returns undefined when a new record is needed. @throws ClientRefusal when several records match */
function toChange(
  records: readonly DnsRecord[],
  { fields }: Wanted,
  zone: string,
  listMatches: ListMatches,
): DnsRecord | undefined {
  const { type, name } = fields
  const same = records.filter(each => each.type === type)
  const equal = same.find(each => contentKey(each, zone) === contentKey(fields, zone))
  if (equal || same.length < 2) return equal ?? same[0]
  throw new ClientRefusal(
    `${same.length} ${type} records match ${name}, and none has this content: which one is meant?`,
    [
      ...listMatches(same),
      'Delete what is to go:   oauth-lab cf dns delete ID',
      'One more beside them:   oauth-lab cf dns create',
    ],
  )
}

/**
 * Plans to add a record.
 * @throws UsageError, ClientRefusal for a record that the service would refuse; ApiRefusal
 */
export async function planCreate(service: Service, zone: Zone, given: NamedRecord): Promise<RecordPlan> {
  checkWithin(given.name, zone)
  const wanted = checkedRecord(given, zone.name)
  const beside = await recordsOfName(service, zone, wanted.fields.name)
  return { wanted, change: { action: 'add', wanted }, before: undefined, differences: [], beside }
}

/**
 * Plans to give the zone a record: adds the record, changes the record of its type and name, or changes nothing.
 * @throws UsageError, ClientRefusal when several records match; ApiRefusal
 */
export async function planSet(
  service: Service,
  zone: Zone,
  given: NamedRecord,
  listMatches: ListMatches,
): Promise<RecordPlan> {
  checkWithin(given.name, zone)
  const zoneName = nameOfZone(zone)
  const wanted = checkedRecord(given, zoneName)
  const records = await recordsOfName(service, zone, wanted.fields.name)
  const before = toChange(records, wanted, zoneName, listMatches)
  if (before === undefined) {
    return { wanted, change: { action: 'add', wanted }, before, differences: [], beside: records }
  }
  const changed = differences(before, wanted, zoneName)
  const change: Change | undefined =
    changed.length === 0 ? undefined : { action: 'change', before, wanted, differences: changed }
  return { wanted, change, before, differences: changed, beside: records.filter(each => each !== before) }
}

/** Checks a plan. @throws ClientRefusal when the planned record conflicts with other records of its name */
export function checkConflicts({ change, beside }: RecordPlan): void {
  const [problem] = planProblems({ changes: change ? [change] : [], unchanged: [], extra: beside })
  if (problem) throw new ClientRefusal(problem.message)
}

/**
 * Adds a record. A record that this program does not know is sent as given: the service decides.
 * @throws UsageError, ApiRefusal
 */
export async function addRecord(service: Service, zone: Zone, given: NamedRecord): Promise<DnsRecord> {
  checkWithin(given.name, zone)
  const wanted = readBy(given, zone.name, () => undefined)
  const body = wanted ? creationBody(wanted) : { ttl: 1, proxied: false, ...given }
  const { result } = await service.request<unknown>({ method: 'POST', path: recordsPath(zone.id), body })
  return readRecordAnswer(result, service)
}
