import { readContent } from '../records/content.js'
import { hasData } from '../records/layouts.js'
import { textValue } from '../records/presentation.js'
import { RecordError } from '../records/record-error.js'
import { type GivenRecord, type RecordFields, readRecord } from '../records/record-fields.js'
import { type DnsRecord, RECORD_TYPES } from '../shapes.js'

/** The optional fields of a record. */
export const OPTIONAL = ['ttl', 'proxied', 'comment', 'tags', 'settings'] as const

/** A position in a file. Lines and columns start at 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A wanted record, checked and in canonical form. */
export interface Wanted {
  readonly fields: RecordFields
  /** The optional fields that were given. Other fields keep their values. */
  readonly said: ReadonlySet<(typeof OPTIONAL)[number]>
  readonly at?: Place
}

/**
 * Checks a given record.
 * @param zone the name of the zone
 * @throws RecordError
 */
export function wantedRecord(given: GivenRecord, zone: string, at?: Place): Wanted {
  const fields = readRecord(given, zone)
  const said = new Set(OPTIONAL.filter(name => given[name] !== undefined))
  return { fields, said, ...(at && { at }) }
}

type Kept = Pick<DnsRecord, 'type' | 'content' | 'priority' | 'data'>

/** The content of a record in canonical form. */
interface Said {
  readonly text: string
  readonly priority: number | undefined
}

function saidBy(record: Kept, zone: string): Said {
  const { type, content, priority } = record
  try {
    if (!(RECORD_TYPES as readonly string[]).includes(type)) return { text: content, priority }
    const read = readContent(type, record, zone)
    return { text: type === 'TXT' ? textValue(read.content) : read.content, priority: read.priority }
  } catch (error) {
    // A service may have records that this program does not know.
    if (error instanceof RecordError) return { text: content, priority }
    throw error
  }
}

/**
 * Returns a key that is equal for contents with the same meaning. It omits the priority of MX and URI, because the service has one record for each
 * content.
 */
export const contentKey = (record: Kept, zone: string): string => saidBy(record, zone).text

/** True when two records of a type have the same meaning and priority. */
export function saysTheSame(one: Kept, other: Kept, zone: string): boolean {
  const [a, b] = [saidBy(one, zone), saidBy(other, zone)]
  return a.text === b.text && a.priority === b.priority
}

/** Returns the content for a request. For some types the service accepts the content only in parts. */
export function sentContent({ type, content, priority, data }: RecordFields): object {
  const rank = priority === undefined || type === 'SRV' ? {} : { priority }
  return hasData(type) && data !== undefined ? { data, ...rank } : { content, ...rank }
}

/** The request body that adds a record. */
export function creationBody({ fields, said }: Wanted): object {
  const { type, name, ttl, proxied } = fields
  const more = (['comment', 'tags', 'settings'] as const).filter(each => said.has(each))
  return {
    type,
    name,
    ...sentContent(fields),
    ttl,
    proxied,
    ...Object.fromEntries(more.map(each => [each, fields[each]])),
  }
}

/** Returns the content of a record as people write it, including the priority that the service stores separately. */
export function shownContent({
  type,
  content,
  priority,
}: Pick<DnsRecord, 'type' | 'content' | 'priority'>): string {
  return priority === undefined || type === 'SRV' ? content : `${priority} ${content}`
}
