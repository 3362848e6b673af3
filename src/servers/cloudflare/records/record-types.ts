import type { RecordData } from '../shapes.js'
import { hostName } from './names.js'
import { quoted, words } from './presentation.js'

/** One part of a record's content: how it is read from JSON or from text, and how it is written. */
interface FieldKind {
  /** The value; undefined for a value of another kind. */
  readonly read: (value: unknown) => string | number | undefined
  readonly write: (value: string | number) => string
  /** The separator that joins the remaining words into one value, for the last field. */
  readonly joint?: string
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const plain = (value: string | number): string => String(value)

function wholeNumber(max: number): FieldKind {
  return {
    read(value) {
      const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
      return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max
        ? number
        : undefined
    },
    write: plain,
  }
}

function matching(pattern: RegExp, convert: (text: string) => string = text => text): FieldKind {
  return {
    read(value) {
      const text = asText(value)?.replace(/\s+/g, '')
      return text !== undefined && pattern.test(text) ? convert(text) : undefined
    },
    write: plain,
    joint: '',
  }
}

/** Longest value, in characters. The limit of the service is about the same. */
const MAX_VALUE = 4096

const u8 = wholeNumber(255)
export const u16 = wholeNumber(65_535)
const hex = matching(/^([0-9A-Fa-f]{2}){1,2048}$/, text => text.toLowerCase())
export const base64 = matching(
  /^(?=.{4,4096}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
)
const tag = matching(/^[A-Za-z0-9]{1,15}$/, text => text.toLowerCase())

/** A host name, or `.` for none. */
const target: FieldKind = {
  read(value) {
    const text = asText(value)?.trim()
    return text === '.' ? '.' : text === undefined ? undefined : hostName(text)
  },
  write: plain,
}

/** A character string. */
const string: FieldKind = {
  read(value) {
    const text = asText(value)
    return text !== undefined && text.length <= MAX_VALUE && !/[\0-\x1f\x7f]/.test(text) ? text : undefined
  },
  write: value => quoted(String(value)),
}

/** Parameters of a service binding, `alpn="h3,h2" port=8443` (RFC 9460 §2.1). */
const parameters: FieldKind = {
  read(value) {
    const text = asText(value)?.trim()
    if (text === undefined || text.length > MAX_VALUE) return undefined
    return /^(?:[a-z0-9-]{1,63}(?:=(?:"(?:[^"\\\0-\x1f]|\\[^\0-\x1f])*"|[^\s"]*))?(?:\s+|$))*$/.test(text)
      ? text
      : undefined
  },
  write: plain,
  joint: ' ',
}

// LOC records (RFC 1876) hold a position on earth.

interface Part {
  readonly name: string
  readonly min: number
  readonly max: number
  /** The value of a part that the text leaves out. */
  readonly usual?: number
  /** Only whole numbers. */
  readonly whole?: true
  /** Number of written decimals. */
  readonly decimals?: number
}

const latitude: readonly Part[] = [
  { name: 'lat_degrees', min: 0, max: 90, whole: true },
  { name: 'lat_minutes', min: 0, max: 59, usual: 0, whole: true },
  { name: 'lat_seconds', min: 0, max: 59.999, usual: 0, decimals: 3 },
]
const longitude: readonly Part[] = [
  { name: 'long_degrees', min: 0, max: 180, whole: true },
  { name: 'long_minutes', min: 0, max: 59, usual: 0, whole: true },
  { name: 'long_seconds', min: 0, max: 59.999, usual: 0, decimals: 3 },
]
/** Metres (RFC 1876 §3). */
const sizes: readonly Part[] = [
  { name: 'altitude', min: -100_000, max: 42_849_672.95, decimals: 2 },
  { name: 'size', min: 0, max: 90_000_000, usual: 1, decimals: 2 },
  { name: 'precision_horz', min: 0, max: 90_000_000, usual: 10_000, decimals: 2 },
  { name: 'precision_vert', min: 0, max: 90_000_000, usual: 10, decimals: 2 },
]

function read(part: Part, value: unknown): number {
  if (value === undefined || value === null) {
    if (part.usual !== undefined) return part.usual
    throw new RecordError(9101, `${part.name} is a required data field.`)
  }
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (
    typeof number === 'number' &&
    number >= part.min &&
    number <= part.max &&
    (!part.whole || Number.isInteger(number))
  ) {
    return number
  }
  throw new RecordError(9102, `${part.name} is not valid in a LOC record.`)
}

function direction(name: string, value: unknown, allowed: readonly string[]): string {
  if (value === undefined || value === null) throw new RecordError(9101, `${name} is a required data field.`)
  const text = String(value).toUpperCase()
  if (allowed.includes(text)) return text
  throw new RecordError(9102, `${name} is ${allowed.join(' or ')} in a LOC record.`)
}

/** The data of a LOC record from JSON. */
function locationData(given: { readonly [name: string]: unknown }): RecordData {
  const data: Record<string, string | number> = {}
  for (const part of latitude) data[part.name] = read(part, given[part.name])
  data.lat_direction = direction('lat_direction', given.lat_direction, ['N', 'S'])
  for (const part of longitude) data[part.name] = read(part, given[part.name])
  data.long_direction = direction('long_direction', given.long_direction, ['E', 'W'])
  for (const part of sizes) data[part.name] = read(part, given[part.name])
  return data
}

/** Reads a latitude or a longitude, such as `52 31 12.5 N`, and removes its words from the list. */
function takeAngle(
  words: string[],
  parts: readonly Part[],
  name: string,
  ends: RegExp,
): Record<string, string> | undefined {
  const data: Record<string, string> = {}
  for (const part of parts) {
    if (words[0] === undefined || ends.test(words[0])) break
    data[part.name] = words.shift() ?? ''
  }
  const end = words.shift()
  if (end === undefined || !ends.test(end)) return undefined
  return { ...data, [name]: end }
}

/** The data of a LOC record from its content, split at blanks; undefined for another form. */
function locationText(content: readonly string[]): RecordData | undefined {
  const words = [...content]
  const lat = takeAngle(words, latitude, 'lat_direction', /^[NS]$/i)
  const long = lat && takeAngle(words, longitude, 'long_direction', /^[EW]$/i)
  if (!long || words.length > sizes.length) return undefined
  const rest = Object.fromEntries(words.map((each, i) => [sizes[i]!.name, each.replace(/m$/i, '')]))
  return locationData({ ...lat, ...long, ...rest })
}

/** The content of a LOC record. */
function writeLocation(data: RecordData): string {
  const written = (parts: readonly Part[], unit = '') =>
    parts.map(({ name, decimals = 0 }) => `${Number(data[name]).toFixed(decimals)}${unit}`)
  return [
    ...written(latitude),
    data.lat_direction,
    ...written(longitude),
    data.long_direction,
    ...written(sizes, 'm'),
  ].join(' ')
}

/** The error for a record that the service would refuse, with its code. */
export class RecordError extends Error {
  override name = 'RecordError'
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** The fields of a type's `data`, in the order its content has them. */
type Layout = readonly (readonly [name: string, kind: FieldKind])[]

const certificate: Layout = [
  ['usage', u8],
  ['selector', u8],
  ['matching_type', u8],
  ['certificate', hex],
]
const binding: Layout = [
  ['priority', u16],
  ['target', target],
  ['value', parameters],
]

const layouts: { readonly [type: string]: Layout } = {
  CAA: [
    ['flags', u8],
    ['tag', tag],
    ['value', string],
  ],
  CERT: [
    ['type', u16],
    ['key_tag', u16],
    ['algorithm', u8],
    ['certificate', base64],
  ],
  DNSKEY: [
    ['flags', u16],
    ['protocol', u8],
    ['algorithm', u8],
    ['public_key', base64],
  ],
  DS: [
    ['key_tag', u16],
    ['algorithm', u8],
    ['digest_type', u8],
    ['digest', hex],
  ],
  HTTPS: binding,
  NAPTR: [
    ['order', u16],
    ['preference', u16],
    ['flags', string],
    ['service', string],
    ['regex', string],
    ['replacement', target],
  ],
  SMIMEA: certificate,
  SRV: [
    ['priority', u16],
    ['weight', u16],
    ['port', u16],
    ['target', target],
  ],
  SSHFP: [
    ['algorithm', u8],
    ['type', u8],
    ['fingerprint', hex],
  ],
  SVCB: binding,
  TLSA: certificate,
  URI: [
    ['weight', u16],
    ['target', string],
  ],
}

/** True when records of a type have `data`. */
export const hasData = (type: string): boolean => type === 'LOC' || Object.hasOwn(layouts, type)

/** The data of a record from JSON. Members that are no field of the type are left out. */
export function readData(type: string, given: { readonly [name: string]: unknown }): RecordData {
  if (type === 'LOC') return locationData(given)
  const data: Record<string, string | number> = {}
  for (const [name, kind] of layouts[type] ?? []) {
    const value = given[name] ?? (kind === parameters ? '' : undefined)
    if (value === undefined) throw new RecordError(9101, `${name} is a required data field.`)
    const read = kind.read(value)
    if (read === undefined) throw new RecordError(9102, `${name} is not valid in a ${type} record.`)
    data[name] = read
  }
  return data
}

/** The data of a record from its content. */
export function parseData(type: string, content: string): RecordData {
  const found = words(content)
  const invalid = new RecordError(9102, `Content for ${type} record is invalid.`)
  if (found === undefined) throw invalid
  if (type === 'LOC') return locationText(found.map(each => each.text)) ?? refuse(invalid)
  const fields = layouts[type] ?? []
  const given: Record<string, string> = {}
  for (const [i, [name, kind]] of fields.entries()) {
    const last = i === fields.length - 1
    const rest = found.slice(i)
    if (!last || kind.joint === undefined) {
      if (rest[0] === undefined || (last && rest.length > 1)) throw invalid
      given[name] = rest[0].text
    } else if (kind === parameters) given[name] = afterWords(content, i)
    else given[name] = rest.map(each => each.text).join(kind.joint)
  }
  return readData(type, given)
}

function refuse(error: Error): never {
  throw error
}

/** The text after the first `count` words, unchanged: quotes are part of parameters. */
function afterWords(content: string, count: number): string {
  return content.trim().replace(new RegExp(`^(?:\\S+\\s*){${count}}`), '')
}

/** The content of a record from its data, as zone files write it. */
export function writeData(type: string, data: RecordData): string {
  if (type === 'LOC') return writeLocation(data)
  return (layouts[type] ?? [])
    .map(([name, kind]) => kind.write(data[name] ?? ''))
    .join(' ')
    .trimEnd()
}
