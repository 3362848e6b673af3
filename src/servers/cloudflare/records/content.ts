import { defined, isJsonObject } from '../../../protocol/values.js'
import type { RecordData } from '../shapes.js'
import { ipv4, ipv6 } from './addresses.js'
import { base64, u16 } from './field-kinds.js'
import { hasData, parseData, readData, writeData } from './layouts.js'
import { hostName } from './names.js'
import { RecordError } from './record-error.js'

/** The content of a record in its canonical form. */
export interface Content {
  readonly content: string
  readonly priority?: number
  readonly data?: RecordData
}

/** The unchecked members of a record that its content is read from. */
export interface GivenContent {
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
