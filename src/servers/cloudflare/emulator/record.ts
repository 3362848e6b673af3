import { RecordError } from '../records/record-error.js'
import { conflict, type GivenRecord, type RecordFields, readRecord } from '../records/record-fields.js'
import { type DnsRecord, PROXIABLE_TYPES } from '../shapes.js'

/** The members of a record that the service sets. Times are RFC 3339. */
export interface Made {
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

function fitting(fields: RecordFields, others: Iterable<DnsRecord>): RecordFields {
  const wrong = conflict(fields, others)
  if (wrong) throw wrong
  return fields
}

/**
 * Creates a record from the members that a client sent.
 * @throws RecordError
 */
export function newRecord(
  given: GivenRecord,
  zone: string,
  made: Made,
  others: Iterable<DnsRecord> = [],
): DnsRecord {
  return written(fitting(readRecord(given, zone), others), made)
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
export interface Change {
  /** The name of the zone. */
  readonly zone: string
  /** True to replace the record, false to merge. */
  readonly whole: boolean
  /** The time of the change, RFC 3339. */
  readonly modified: string
  /** All records of the zone. */
  readonly others: Iterable<DnsRecord>
}

/**
 * Returns the record after a change. Its id, creation time and type stay the same.
 * @throws RecordError
 */
export function changeRecord(old: DnsRecord, given: GivenRecord, change: Change): DnsRecord {
  const fields = readRecord(change.whole ? given : merged(old, given), change.zone)
  if (fields.type !== old.type) {
    throw new RecordError(
      9004,
      'DNS record type cannot be changed. Delete the record and create another, or do both in one batch.',
    )
  }
  const others = [...change.others].filter(({ id }) => id !== old.id)
  return written(fitting(fields, others), { id: old.id, created: old.created_on, modified: change.modified })
}
