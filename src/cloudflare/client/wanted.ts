import { readContent } from '../records/content.js'
import { hasData } from '../records/layouts.js'
import { textValue } from '../records/presentation.js'
import { RecordError } from '../records/record-error.js'
import { type GivenRecord, type RecordFields, readRecord } from '../records/record-fields.js'
import { type DnsRecord, RECORD_TYPES } from '../shapes.js'

/** What may be left to the service, or as it is. */
export const OPTIONAL = ['ttl', 'proxied', 'comment', 'tags', 'settings'] as const

/** Where something stands in a file; both count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A record as somebody wants it to be: checked, in its canonical form. */
export interface Wanted {
  readonly fields: RecordFields
  /** What was said of it beside type, name and content. The rest stays as it is. */
  readonly said: ReadonlySet<(typeof OPTIONAL)[number]>
  readonly at?: Place
}

/**
 * Checks what somebody gave.
 * @param zone the name of the zone
 * @throws RecordError
 */
export function wantedRecord(given: GivenRecord, zone: string, at?: Place): Wanted {
  const fields = readRecord(given, zone)
  const said = new Set(OPTIONAL.filter(name => given[name] !== undefined))
  return { fields, said, ...(at && { at }) }
}

type Kept = Pick<DnsRecord, 'type' | 'content' | 'priority' | 'data'>

/** What a record says, in its one form. */
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
    // A service may keep what the rules here do not know.
    if (error instanceof RecordError) return { text: content, priority }
    throw error
  }
}

/**
 * A key that two contents share where they say the same, however they are written. The priority of MX and URI is no
 * part of it: the service keeps one record of a content.
 */
export const contentKey = (record: Kept, zone: string): string => saidBy(record, zone).text

/** Whether two records of a type say the same, their priority included. */
export function saysTheSame(one: Kept, other: Kept, zone: string): boolean {
  const [a, b] = [saidBy(one, zone), saidBy(other, zone)]
  return a.text === b.text && a.priority === b.priority
}

/** What content a record is sent with: the service takes that of some types only in parts. */
export function sentContent({ type, content, priority, data }: RecordFields): object {
  const rank = priority === undefined || type === 'SRV' ? {} : { priority }
  return hasData(type) && data !== undefined ? { data, ...rank } : { content, ...rank }
}

/** The body that makes a record. */
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
