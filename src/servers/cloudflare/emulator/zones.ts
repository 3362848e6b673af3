import { createHash } from 'node:crypto'
import { domainName } from '../records/names.js'
import type { DnsRecord, Zone } from '../shapes.js'
import { changeRecord, type Made, newRecord } from './record.js'
import { noSuchRecord, orRefuse, refusal } from './refusal.js'
import type { EmulatorSettings, ZoneSettings } from './settings.js'

/** The account that owns all zones of a lab. */
export const ACCOUNT = { id: '1ab0000000000000000000000000000a', name: 'oauth-lab' } as const
const OWNER_ID = '1ab0000000000000000000000000000b'

/** The largest number of records in a zone. */
const MAX_RECORDS = 10_000

/** The records by id, in the order of creation. */
export type Records = ReadonlyMap<string, DnsRecord>

/** A zone with its records. A change is made on a copy that then replaces the records, so that no change is half done. */
export interface ZoneState {
  readonly zone: Zone
  records: Records
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
    states.set(zone.id, { zone, records, settings: new Map() })
  }
  return states
}

function stamp({ now, random }: ZonePorts): Made {
  const at = new Date(now()).toISOString()
  return { id: Buffer.from(random(16)).toString('hex'), created: at, modified: at }
}

/** Starts changes to the records of a zone, on a copy that the caller puts in place. */
export function editing({ zone, records: before }: ZoneState, ports: ZonePorts) {
  const records = new Map(before)
  const find = (id: string): DnsRecord => {
    const found = records.get(id)
    if (found === undefined) throw noSuchRecord()
    return found
  }
  const modified = () => new Date(ports.now()).toISOString()
  return {
    records,
    find,
    /** @throws Refusal */
    create(given: Record<string, unknown>): DnsRecord {
      if (records.size >= MAX_RECORDS) throw refusal(400, 81045, 'Record quota exceeded.')
      const record = orRefuse(() => newRecord(given, zone.name, stamp(ports), records.values()))
      records.set(record.id, record)
      return record
    },
    /**
     * Changes a record.
     * @param whole true to replace the record, false to keep fields that are not given
     * @throws Refusal
     */
    change(id: string, given: Record<string, unknown>, whole: boolean): DnsRecord {
      const old = find(id)
      const record = orRefuse(() =>
        changeRecord(old, given, { zone: zone.name, whole, modified: modified(), others: records.values() }),
      )
      records.set(id, record)
      return record
    },
    /** @throws Refusal */
    remove(id: string): DnsRecord {
      const old = find(id)
      records.delete(id)
      return old
    },
  }
}
