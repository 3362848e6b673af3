// Distinguished names of certificates, as text (RFC 4514) and compared by their attributes (RFC 5280 §7.1).

/** One attribute of a name. */
export interface NameAttribute {
  readonly oid: string
  /** The value as text. Absent where only its encoding is known. */
  readonly text?: string
  /** The DER encoding of the value in lower-case hexadecimal. Absent where only its text is known. */
  readonly hex?: string
}

/** A name in the order of RFC 4514: the last relative name of the certificate is the first. */
export type DistinguishedName = readonly (readonly NameAttribute[])[]

/** Attribute types by their short names: those of RFC 4514 §3, and those that certificates of clients have too. */
const TYPES: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  C: '2.5.4.6',
  STREET: '2.5.4.9',
  DC: '0.9.2342.19200300.100.1.25',
  UID: '0.9.2342.19200300.100.1.1',
  SN: '2.5.4.4',
  SERIALNUMBER: '2.5.4.5',
  TITLE: '2.5.4.12',
  BUSINESSCATEGORY: '2.5.4.15',
  POSTALCODE: '2.5.4.17',
  GIVENNAME: '2.5.4.42',
  ORGANIZATIONIDENTIFIER: '2.5.4.97',
  EMAILADDRESS: '1.2.840.113549.1.9.1',
}

/** Short names of these types that only some programs use. */
const ALIASES: Readonly<Record<string, string>> = {
  COMMONNAME: 'CN',
  LOCALITYNAME: 'L',
  STATEORPROVINCENAME: 'ST',
  S: 'ST',
  ORGANIZATIONNAME: 'O',
  ORGANIZATIONALUNITNAME: 'OU',
  COUNTRYNAME: 'C',
  STREETADDRESS: 'STREET',
  DOMAINCOMPONENT: 'DC',
  USERID: 'UID',
  SURNAME: 'SN',
  GN: 'GIVENNAME',
  E: 'EMAILADDRESS',
}

const NAMES = new Map(Object.entries(TYPES).map(([name, oid]) => [oid, name]))

/** The longest name that is read, in characters. */
const MAX_LENGTH = 4096

function oidOf(type: string): string | undefined {
  if (/^\d+(\.\d+)+$/.test(type)) return type
  const name = type.toUpperCase()
  return TYPES[ALIASES[name] ?? name]
}

/** The parts of a text between unescaped separators. */
function split(text: string, separator: ',' | '+'): string[] {
  const parts: string[] = []
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === separator) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

/** Returns a value without its escapes (RFC 4514 §3); undefined for a broken escape. */
function unescaped(value: string): string | undefined {
  const bytes: Buffer[] = []
  for (let i = 0; i < value.length; i++) {
    const at = value[i]!
    if (at !== '\\') {
      if (/["<>;+,]/.test(at)) return undefined
      const whole = String.fromCodePoint(value.codePointAt(i)!)
      bytes.push(Buffer.from(whole))
      i += whole.length - 1
      continue
    }
    const pair = value.slice(i + 1, i + 3)
    if (/^[0-9a-f]{2}$/i.test(pair)) {
      bytes.push(Buffer.from(pair, 'hex'))
      i += 2
    } else if (/^[ "#+,;<=>\\]/.test(pair)) {
      bytes.push(Buffer.from(pair[0]!))
      i += 1
    } else return undefined
  }
  return Buffer.concat(bytes).toString('utf8')
}

/** Removes the spaces around a value. An escaped space at its end stays. */
function trimmed(value: string): string {
  const start = value.trimStart()
  const end = start.trimEnd()
  let escapes = 0
  while (end[end.length - 1 - escapes] === '\\') escapes++
  return escapes % 2 === 1 && start[end.length] === ' ' ? `${end} ` : end
}

function parseAttribute(part: string): NameAttribute | { readonly problem: string } {
  const equals = part.indexOf('=')
  if (equals < 0) return { problem: `${JSON.stringify(part.trim())} is not TYPE=value` }
  const type = part.slice(0, equals).trim()
  const oid = oidOf(type)
  if (oid === undefined) {
    const known = Object.keys(TYPES).join(', ')
    return {
      problem: `the attribute ${JSON.stringify(type)} is not known; write its OID, or one of ${known}`,
    }
  }
  const value = trimmed(part.slice(equals + 1))
  if (value.startsWith('#')) {
    return /^#([0-9a-f]{2})+$/i.test(value)
      ? { oid, hex: value.slice(1).toLowerCase() }
      : { problem: `${JSON.stringify(value)} is not # and pairs of hexadecimal digits` }
  }
  const text = unescaped(value)
  if (text === undefined || text === '') {
    return { problem: `the value of ${type} is empty, or a character in it needs a backslash` }
  }
  return { oid, text }
}

/** Reads a name (RFC 4514 §3). */
export function parseDistinguishedName(
  text: string,
): { readonly name: DistinguishedName } | { readonly problem: string } {
  if (text.trim() === '') return { problem: 'the name is empty' }
  if (text.length > MAX_LENGTH) return { problem: `the name is longer than ${MAX_LENGTH} characters` }
  const name: NameAttribute[][] = []
  for (const relative of split(text, ',')) {
    const attributes: NameAttribute[] = []
    for (const part of split(relative, '+')) {
      const attribute = parseAttribute(part)
      if ('problem' in attribute) return attribute
      attributes.push(attribute)
    }
    name.push(attributes)
  }
  return { name }
}

/** Writes a name (RFC 4514 §2). */
export function formatDistinguishedName(name: DistinguishedName): string {
  const written = ({ oid, text, hex }: NameAttribute) => {
    const value = text?.replace(/["+,;<>\\]|^[ #]| $/g, '\\$&').replace(/\0/g, '\\00')
    return `${NAMES.get(oid) ?? oid}=${value ?? `#${hex}`}`
  }
  return name.map(relative => relative.map(written).join('+')).join(',')
}

/** Values are compared without regard to case, and to the number of spaces (RFC 5280 §7.1, RFC 4518 §2). */
function prepared(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ')
}

function sameAttribute(a: NameAttribute, b: NameAttribute): boolean {
  if (a.oid !== b.oid) return false
  if (a.hex !== undefined && b.hex !== undefined && a.hex === b.hex) return true
  return a.text !== undefined && b.text !== undefined && prepared(a.text) === prepared(b.text)
}

function sameRelative(a: readonly NameAttribute[], b: readonly NameAttribute[]): boolean {
  if (a.length !== b.length) return false
  const left = [...b]
  return a.every(each => {
    const at = left.findIndex(other => sameAttribute(each, other))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/** True for equal names: the same attributes in the same order, however both are written (RFC 5280 §7.1). */
export function sameName(a: DistinguishedName, b: DistinguishedName): boolean {
  return a.length === b.length && a.every((relative, i) => sameRelative(relative, b[i]!))
}
