import { createHash } from 'node:crypto'
import { domainName } from '../records/names.js'
import {
  createRecordIndex,
  type GivenRecord,
  type RecordFields,
  type RecordIndex,
  readRecord,
} from '../records/record.js'
import { RecordError } from '../records/record-types.js'
import { type DnsRecord, PROXIABLE_TYPES, type Zone } from '../shapes.js'
import { noSuchRecord, orRefuse, refusal } from './answers.js'
import type { EmulatorSettings, ZoneSettings } from './settings.js'

/** The account that owns all zones of a lab. */
export const ACCOUNT = { id: '1ab0000000000000000000000000000a', name: 'oauth-lab' } as const
const OWNER_ID = '1ab0000000000000000000000000000b'

/** The largest number of records in a zone. */
const MAX_RECORDS = 50_000

/** A zone with its records. `edited` changes them. */
export interface ZoneState {
  readonly zone: Zone
  /** The records by id, in the order of creation. */
  readonly records: Map<string, DnsRecord>
  readonly index: RecordIndex
  settings: ChangedSettings
}

/** The settings of a zone that somebody changed, by id. */
export type ChangedSettings = ReadonlyMap<string, { readonly value: unknown; readonly modified_on: string }>

/** The ports of changes to records. */
export interface ZonePorts {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}

const NAME_SERVERS = ['ada.ns.example.net', 'max.ns.example.net']

function zoneObject({ id, name }: ZoneSettings, email: string, created: string): Zone {
  return {
    id,
    name: domainName(name) ?? name,
    status: 'active',
    paused: false,
    type: 'full',
    development_mode: 0,
    name_servers: NAME_SERVERS,
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    created_on: created,
    modified_on: created,
    activated_on: created,
    account: ACCOUNT,
    owner: { id: OWNER_ID, type: 'user', email },
    meta: { step: 4, custom_certificate_quota: 0, page_rule_quota: 3, phishing_detected: false },
    // Exporters of metrics skip zones of the Free plan, which has no groups of events.
    plan: { id: '1ab0000000000000000000000000000d', name: 'Pro Website', price: 20, currency: 'USD' },
    permissions: ['#dns_records:edit', '#dns_records:read', '#zone:read', '#analytics:read'],
  }
}

/** Returns an id that is the same in every run, so that documents and screenshots stay correct. */
function fixedId(zone: string, given: Record<string, unknown>): string {
  const { id, type, name, content } = given
  if (typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)) return id
  return createHash('sha256')
    .update(JSON.stringify([zone, type, name, content]))
    .digest('hex')
    .slice(0, 32)
}

/** Returns the zones of a lab at its start. */
export function openZones({ zones, email }: EmulatorSettings, { now }: ZonePorts): Map<string, ZoneState> {
  const created = new Date(now() - 30 * 24 * 3_600_000).toISOString()
  const states = new Map<string, ZoneState>()
  for (const settings of zones) {
    const zone = zoneObject(settings, email, created)
    const records = new Map<string, DnsRecord>()
    for (const given of settings.records) {
      const made = { id: fixedId(settings.id, given), created, modified: created }
      const record = orRefuse(() => newRecord(given, zone.name, made))
      records.set(record.id, record)
    }
    states.set(zone.id, { zone, records, index: createRecordIndex(records.values()), settings: new Map() })
  }
  return states
}

function stamp({ now, random }: ZonePorts): Made {
  const at = new Date(now()).toISOString()
  return { id: Buffer.from(random(16)).toString('hex'), created: at, modified: at }
}

/** The changes that `edited` makes. */
export interface Edit {
  /** @throws Refusal */
  find(id: string): DnsRecord
  /** @throws Refusal */
  create(given: Record<string, unknown>): DnsRecord
  /**
   * Changes a record.
   * @param whole true to replace the record, false to keep fields that are not given
   * @throws Refusal
   */
  change(id: string, given: Record<string, unknown>, whole: boolean): DnsRecord
  /** @throws Refusal */
  remove(id: string): DnsRecord
}

/** Makes changes to the records of a zone: all of them, or none when one is refused. @throws Refusal */
export function edited<Result>(
  { zone, records, index }: ZoneState,
  ports: ZonePorts,
  work: (edit: Edit) => Result,
): Result {
  const undo: (() => void)[] = []
  // They keep their places until all changes are made.
  const removed = new Set<string>()

  function find(id: string): DnsRecord {
    const found = removed.has(id) ? undefined : records.get(id)
    if (found === undefined) throw noSuchRecord()
    return found
  }

  function put(record: DnsRecord, old: DnsRecord | undefined): DnsRecord {
    records.set(record.id, record)
    index.add(record)
    undo.push(() => {
      index.remove(record)
      if (old === undefined) records.delete(record.id)
      else records.set(record.id, old)
    })
    return record
  }

  function take(record: DnsRecord): void {
    index.remove(record)
    undo.push(() => index.add(record))
  }

  const edit: Edit = {
    find,
    create(given) {
      if (records.size - removed.size >= MAX_RECORDS) throw refusal(400, 81045, 'Record quota exceeded.')
      return put(
        orRefuse(() => newRecord(given, zone.name, stamp(ports), index)),
        undefined,
      )
    },
    change(id, given, whole) {
      const old = find(id)
      take(old)
      const modified = new Date(ports.now()).toISOString()
      return put(
        orRefuse(() => changeRecord(old, given, { zone: zone.name, whole, modified, index })),
        old,
      )
    },
    remove(id) {
      const old = find(id)
      take(old)
      removed.add(id)
      return old
    },
  }
  try {
    const result = work(edit)
    for (const id of removed) records.delete(id)
    return result
  } catch (error) {
    for (const each of undo.reverse()) each()
    throw error
  }
}

/** The members of a record that the service sets. Times are RFC 3339. */
interface Made {
  readonly id: string
  readonly created: string
  readonly modified: string
}

function written(fields: RecordFields, { id, created, modified }: Made): DnsRecord {
  const { name, type, content, priority, proxied, ttl, data, settings, comment, tags } = fields
  return {
    id,
    name,
    type,
    content,
    ...(priority !== undefined && { priority }),
    proxiable: PROXIABLE_TYPES.includes(type),
    proxied,
    ttl,
    ...(data !== undefined && { data }),
    settings,
    meta: {},
    comment,
    tags,
    created_on: created,
    modified_on: modified,
  }
}

function fitting(fields: RecordFields, index: RecordIndex | undefined): RecordFields {
  const wrong = index?.conflict(fields)
  if (wrong) throw wrong
  return fields
}

/**
 * Creates a record from the members that a client sent.
 * @param index the records that it may conflict with
 * @throws RecordError
 */
function newRecord(given: GivenRecord, zone: string, made: Made, index?: RecordIndex): DnsRecord {
  return written(fitting(readRecord(given, zone), index), made)
}

/** Merges a partial change into a record. New content removes the old data. */
function merged(old: DnsRecord, given: GivenRecord): GivenRecord {
  const sent = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== undefined && (value !== null || name === 'comment'),
    ),
  )
  const { data, ...rest } = old
  if (data === undefined || sent.content !== undefined) return { ...rest, ...sent }
  const ranked = 'priority' in data && sent.priority !== undefined
  return { ...rest, data: ranked ? { ...data, priority: sent.priority } : data, ...sent }
}

/** The circumstances of a change. */
interface Change {
  /** The name of the zone. */
  readonly zone: string
  /** True to replace the record, false to merge. */
  readonly whole: boolean
  /** The time of the change, RFC 3339. */
  readonly modified: string
  /** The other records of the zone. */
  readonly index: RecordIndex
}

/**
 * Returns the record after a change. Its id, creation time and type stay the same.
 * @throws RecordError
 */
function changeRecord(old: DnsRecord, given: GivenRecord, change: Change): DnsRecord {
  const fields = readRecord(change.whole ? given : merged(old, given), change.zone)
  if (fields.type !== old.type) {
    throw new RecordError(
      9004,
      'DNS record type cannot be changed. Delete the record and create another, or do both in one batch.',
    )
  }
  return written(fitting(fields, change.index), {
    id: old.id,
    created: old.created_on,
    modified: change.modified,
  })
}
