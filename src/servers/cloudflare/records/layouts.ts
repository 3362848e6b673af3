import type { RecordData } from '../shapes.js'
import { base64, type FieldKind, hex, parameters, string, tag, target, u8, u16 } from './field-kinds.js'
import { locationData, locationText, writeLocation } from './location.js'
import { words } from './presentation.js'
import { RecordError } from './record-error.js'

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
