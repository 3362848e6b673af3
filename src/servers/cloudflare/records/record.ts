import { defined, isJsonObject } from '../../../protocol/values.js'
import { PROXIABLE_TYPES, RECORD_TYPES, type RecordData } from '../shapes.js'
import { hostName, ipv4, ipv6, recordName } from './names.js'
import { base64, hasData, parseData, RecordError, readData, u16, writeData } from './record-types.js'

/** The fields of a record that a person decides; the service sets the rest. */
export interface RecordFields {
  readonly type: string
  readonly name: string
  readonly content: string
  readonly priority?: number
  readonly data?: RecordData
  readonly ttl: number
  readonly proxied: boolean
  readonly settings: { readonly [name: string]: boolean }
  readonly comment: string | null
  readonly tags: readonly string[]
}

/** A record as a client sent it, parsed from JSON and unchecked. */
export type GivenRecord = { readonly [name: string]: unknown }

/** TTLs, in seconds; 1 stands for automatic. */
export const AUTOMATIC_TTL = 1
const MIN_TTL = 60
const MAX_TTL = 86_400

const MAX_COMMENT = 500
const MAX_TAGS = 20

function typeOf(given: unknown): string {
  const type = typeof given === 'string' ? given.toUpperCase() : ''
  if ((RECORD_TYPES as readonly string[]).includes(type)) return type
  throw new RecordError(9004, `Invalid record type. Valid types are ${RECORD_TYPES.join(', ')}.`)
}

function nameOf(given: unknown, zone: string): string {
  const name = typeof given === 'string' && given !== '' ? recordName(given, zone) : undefined
  if (name !== undefined) return name
  throw new RecordError(9000, 'DNS name is invalid.')
}

function ttlOf(given: unknown): number {
  if (given === undefined || given === null) return AUTOMATIC_TTL
  const ok = typeof given === 'number' && Number.isInteger(given)
  if (ok && (given === AUTOMATIC_TTL || (given >= MIN_TTL && given <= MAX_TTL))) return given
  throw new RecordError(9021, `TTL must be between ${MIN_TTL} and ${MAX_TTL} seconds, or 1 for Automatic.`)
}

function proxiedOf(given: unknown, type: string): boolean {
  if (given === undefined || given === null) return false
  if (typeof given !== 'boolean') {
    throw new RecordError(9003, "Invalid 'proxied' value, must be a boolean.")
  }
  if (given && !PROXIABLE_TYPES.includes(type)) {
    throw new RecordError(9041, 'This DNS record cannot be proxied.')
  }
  return given
}

function commentOf(given: unknown): string | null {
  if (given === undefined || given === null || given === '') return null
  if (typeof given === 'string' && given.length <= MAX_COMMENT && !/[\0-\x1f\x7f]/.test(given)) return given
  throw new RecordError(9300, `A comment is text of at most ${MAX_COMMENT} characters.`)
}

function tagsOf(given: unknown): readonly string[] {
  if (given === undefined || given === null) return []
  const tag = (each: unknown) =>
    typeof each === 'string' && /^[\w-]{1,32}(:[^\0-\x1f\x7f]{0,100})?$/.test(each)
  if (Array.isArray(given) && given.length <= MAX_TAGS && given.every(tag)) return [...new Set<string>(given)]
  throw new RecordError(9301, `Tags are a list of at most ${MAX_TAGS} texts such as owner:dns-team.`)
}

/** Settings that are known; the service has no others. */
const SETTINGS = ['ipv4_only', 'ipv6_only', 'flatten_cname']

function settingsOf(given: unknown): { readonly [name: string]: boolean } {
  if (typeof given !== 'object' || given === null) return {}
  const all = given as GivenRecord
  return Object.fromEntries(
    SETTINGS.flatMap(name => (typeof all[name] === 'boolean' ? [[name, all[name]] as const] : [])),
  )
}

/**
 * Checks a record, in the order type, name, ttl, content, proxied. Unknown members, and members that the service sets,
 * are ignored.
 * @param zone the name of its zone
 * @throws RecordError
 */
export function readRecord(given: GivenRecord, zone: string): RecordFields {
  const type = typeOf(given.type)
  const name = nameOf(given.name, zone)
  const ttl = ttlOf(given.ttl)
  const content = readContent(type, given, zone)
  if (type === 'CNAME' && content.content === name) {
    throw new RecordError(9007, 'Content for CNAME record is invalid. It is the name of the record itself.')
  }
  const proxied = proxiedOf(given.proxied, type)
  return {
    type,
    name,
    ...content,
    ttl: proxied ? AUTOMATIC_TTL : ttl,
    proxied,
    settings: settingsOf(given.settings),
    comment: commentOf(given.comment),
    tags: tagsOf(given.tags),
  }
}

/** The records of one name: their contents by type, each with the number of its records. */
type NameRecords = Map<string, Map<string, number>>

/** Finds records that may not exist together, by their names: a zone has many records, and each new one would be compared with all. */
export interface RecordIndex {
  add(record: RecordFields): void
  remove(record: RecordFields): void
  /** Returns the conflict of a further record; undefined without one. */
  conflict(record: RecordFields): RecordError | undefined
}

/** Creates an index of records. */
export function createRecordIndex(records: Iterable<RecordFields> = []): RecordIndex {
  const names = new Map<string, NameRecords>()
  const index: RecordIndex = {
    add({ name, type, content }) {
      const types = names.get(name) ?? new Map()
      const contents = types.get(type) ?? new Map()
      contents.set(content, (contents.get(content) ?? 0) + 1)
      names.set(name, types.set(type, contents))
    },
    remove({ name, type, content }) {
      const contents = names.get(name)?.get(type)
      const left = (contents?.get(content) ?? 0) - 1
      if (left > 0) contents?.set(content, left)
      else contents?.delete(content)
      if (contents?.size === 0) names.get(name)?.delete(type)
      if (names.get(name)?.size === 0) names.delete(name)
    },
    conflict({ name, type, content }) {
      const types = names.get(name)
      if (types === undefined) return undefined
      if (types.get(type)?.has(content)) return new RecordError(81058, 'An identical record already exists.')
      return clash(type, types)
    },
  }
  for (const record of records) index.add(record)
  return index
}

function clash(type: string, there: ReadonlyMap<string, unknown>): RecordError | undefined {
  if (type === 'CNAME' && ['A', 'AAAA', 'CNAME'].some(each => there.has(each))) {
    return new RecordError(81053, 'An A, AAAA, or CNAME record with that host already exists.')
  }
  if ((type === 'A' || type === 'AAAA') && there.has('CNAME')) {
    return new RecordError(
      81054,
      'A CNAME record with that host already exists. For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>.',
    )
  }
  return undefined
}

/** The content of a record in its canonical form. */
interface Content {
  readonly content: string
  readonly priority?: number
  readonly data?: RecordData
}

/** The unchecked members of a record that its content is read from. */
interface GivenContent {
  readonly content?: unknown
  readonly priority?: unknown
  readonly data?: unknown
}

/** Longest text of a TXT record, in characters. */
const MAX_TEXT = 2048

const MAIL_HOST =
  'Change the content of your MX record to be a hostname (and not an IP address). For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/how-to/email-records/#add-mx-records>.'

const simple: { readonly [type: string]: (text: string) => string } = {
  A: text => ipv4(text) ?? refuse(9005, 'Content for A record must be a valid IPv4 address.'),
  AAAA: text => ipv6(text) ?? refuse(9006, 'Content for AAAA record must be a valid IPv6 address.'),
  CNAME: host('CNAME'),
  NS: host('NS'),
  PTR: host('PTR'),
  MX: text => (text === '.' ? text : (hostName(text) ?? refuse(9009, MAIL_HOST))),
  OPENPGPKEY: text =>
    (base64.read(text) as string | undefined) ?? refuse(9102, 'Content for OPENPGPKEY record is invalid.'),
}

function refuse(code: number, message: string): never {
  throw new RecordError(code, message)
}

function host(type: string): (text: string) => string {
  return text => hostName(text) ?? refuse(9007, `Content for ${type} record is invalid.`)
}

function textContent(text: string): string {
  if (text === '' || text.length > MAX_TEXT || /[\0-\x1f\x7f]/.test(text)) {
    return refuse(
      9012,
      `Content for TXT record must be 1 to ${MAX_TEXT} characters, none a control character.`,
    )
  }
  return text.toWellFormed()
}

function priorityOf(given: unknown): number {
  if (given === undefined || given === null) return refuse(9100, 'priority is a required field.')
  const priority = typeof given === 'number' ? u16.read(given) : undefined
  return typeof priority === 'number'
    ? priority
    : refuse(9008, 'Invalid priority, priority must be set and be between 0 and 65535')
}

function structured(type: string, { content, data, priority }: GivenContent): Content {
  const fromText = !isJsonObject(data)
  if (fromText && typeof content !== 'string') return refuse(9101, 'data is a required field.')
  const read = fromText
    ? parseData(type, content as string)
    : readData(type, withPriority(type, data, priority))
  return defined({
    content: writeData(type, read),
    priority: priorityBeside(type, read, priority),
    data: read,
  })
}

/** The priority that a record of a structured type has beside its data: only URI and SRV records have one. */
function priorityBeside(type: string, data: RecordData, given: unknown): number | undefined {
  if (type === 'URI') return priorityOf(given)
  return type === 'SRV' ? Number(data.priority) : undefined
}

/** Older clients send the priority of an SRV record beside its data. */
function withPriority(type: string, data: Record<string, unknown>, priority: unknown) {
  return type === 'SRV' && data.priority === undefined ? { ...data, priority } : data
}

/**
 * Checks the content of a record and returns its canonical form. Addresses are short. Names are in lower case and in
 * Punycode, without a final dot. Structured types have their data beside the text.
 * @param zone the name that `@` stands for
 * @throws RecordError
 */
export function readContent(type: string, given: GivenContent, zone: string): Content {
  if (hasData(type)) return structured(type, given)
  const text = typeof given.content === 'string' ? given.content : ''
  if (type === 'TXT') return { content: textContent(text) }
  const trimmed = text.trim()
  const content = simple[type]!(trimmed === '@' ? zone : trimmed)
  return type === 'MX' ? { content, priority: priorityOf(given.priority) } : { content }
}
