import { defined } from '../../../protocol/values.js'
import { RECORD_TYPES } from '../shapes.js'
import { quoted, quotedStrings, unescaped } from './presentation.js'
import type { GivenRecord } from './record-fields.js'
import { type FileLine, type FileWord, ZoneFileError, zoneFileLines } from './zone-file-lines.js'

/** A record of a zone file as a client would send it, with its position in the file. */
export interface ZoneFileRecord {
  readonly record: GivenRecord & { readonly type: string; readonly name: string; readonly content: string }
  /** The position of the record; line and column count from 1. */
  readonly line: number
  readonly column: number
  /** The position where the content begins. */
  readonly contentAt: { readonly line: number; readonly column: number }
}

const units: { readonly [unit: string]: number } = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Seconds, as a number or with units, `1h30m`. */
function ttlOf(raw: string): number | undefined {
  if (/^\d{1,10}$/.test(raw)) return Number(raw)
  if (!/^(\d{1,10}[smhdw])+$/i.test(raw)) return undefined
  return [...raw.toLowerCase().matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * units[unit!]!,
    0,
  )
}

/** The index of the word in a type's content that is a name. */
const names: { readonly [type: string]: number } = {
  CNAME: 0,
  NS: 0,
  PTR: 0,
  MX: 1,
  SRV: 3,
  NAPTR: 5,
  HTTPS: 1,
  SVCB: 1,
}

function fail(message: string, { line, column }: FileWord): never {
  throw new ZoneFileError(message, line, column)
}

function absolute(raw: string, origin: string): string {
  if (raw === '@') return origin
  if (raw === '.') return raw
  return raw.endsWith('.') ? raw.slice(0, -1) : `${raw}.${origin}`
}

/** The content that follows a type, its names made absolute. */
function contentOf(type: string, data: readonly FileWord[], origin: string) {
  const written = data.map(({ raw }, i) => (names[type] === i ? absolute(raw, origin) : raw))
  if (type === 'MX' || type === 'URI') {
    const [priority = '', ...rest] = written
    return { priority: /^\d{1,5}$/.test(priority) ? Number(priority) : priority, content: rest.join(' ') }
  }
  if (type !== 'TXT') return { content: written.join(' ') }
  return { content: textContent(written.map(raw => unescaped(raw.replace(/^"(.*)"$/s, '$1')))) }
}

/**
 * The content of a TXT record. One text, also where it was cut after 255 bytes, is written as it is. Other strings, and a text that begins
 * with a quote, are written in quotes, as the service keeps them.
 */
function textContent(strings: readonly string[]): string {
  const text = strings.join('')
  const isOneText = strings.length === 1 || quotedStrings(text) === strings.map(quoted).join(' ')
  if (isOneText && !text.trimStart().startsWith('"')) return text
  return strings.map(quotedStrings).join(' ')
}

const TAGS = 'cf_tags='

/** The fields that a zone file of the service keeps in the comment of a line. */
function marks(comment: string): GivenRecord {
  const last = comment.split(/\s/).at(-1)!
  const mark = last.indexOf(TAGS)
  const list = mark < 0 ? '' : last.slice(mark + TAGS.length)
  const said = (mark < 0 ? comment : comment.slice(0, comment.length - last.length + mark)).trimEnd()
  const tags = list.split(',').filter(tag => tag !== '')
  const proxied = tags.find(tag => tag.startsWith('cf-proxied:'))
  const own = tags.filter(tag => !tag.startsWith('cf-'))
  return defined({
    proxied: proxied?.endsWith(':true'),
    tags: own.length > 0 ? own : undefined,
    comment: said === '' ? undefined : said,
  })
}

interface Head {
  readonly ttl: number | undefined
  readonly type: FileWord
  readonly data: readonly FileWord[]
}

/** TTL and class, in either order and both optional, then the type. */
function headOf(words: readonly FileWord[], owner: FileWord): Head {
  let ttl: number | undefined
  for (const [i, word] of words.entries()) {
    const time = ttlOf(word.raw)
    if (time !== undefined && ttl === undefined) ttl = time
    else if (/^(CH|HS|CS)$/i.test(word.raw)) return fail(`the class ${word.raw} is not IN`, word)
    else if (!/^IN$/i.test(word.raw)) return { ttl, type: word, data: words.slice(i + 1) }
  }
  return fail('a type is missing', words.at(-1) ?? owner)
}

/**
 * Reads a zone file (RFC 1035 §5). SOA records and the NS records of the zone itself are left out, because the service
 * sets them. The content of records is not checked here.
 * @param zone the initial origin (RFC 1035 §5.1): relative names are completed with it until `$ORIGIN` changes it
 * @param maxEntries the most entries; left out, there is no limit
 * @throws ZoneFileError
 */
export function parseZoneFile(text: string, zone: string, maxEntries?: number): ZoneFileRecord[] {
  const records: ZoneFileRecord[] = []
  let origin = zone
  let usualTtl: number | undefined
  let owner: string | undefined

  function directive({ words }: FileLine): void {
    const [name, value] = words as [FileWord, FileWord | undefined]
    const word = name.raw.toUpperCase()
    if (word !== '$ORIGIN' && word !== '$TTL') fail(`${name.raw} is not read here`, name)
    if (value === undefined) fail(`${name.raw} has no value`, name)
    if (word === '$ORIGIN') origin = absolute(value.raw, origin).toLowerCase()
    else usualTtl = ttlOf(value.raw) ?? fail(`${value.raw} is not a time`, value)
  }

  for (const line of zoneFileLines(text.replace(/^\ufeff/, ''), maxEntries)) {
    const [first, ...rest] = line.words as [FileWord, ...FileWord[]]
    if (first.raw.startsWith('$') && !line.continued) {
      directive(line)
      continue
    }
    if (!line.continued) owner = absolute(first.raw, origin).toLowerCase()
    const name = owner ?? fail('the first record has no name', first)
    const { ttl = usualTtl, type: word, data } = headOf(line.continued ? line.words : rest, first)
    const type = word.raw.toUpperCase()
    if (type === 'SOA' || (type === 'NS' && name === zone)) continue
    if (!(RECORD_TYPES as readonly string[]).includes(type))
      fail(`${word.raw} is not a type of record here`, word)
    const [content = fail(`the ${type} record has no content`, word)] = data
    const record = defined({ type, name, ...contentOf(type, data, origin), ttl, ...marks(line.comment) })
    const contentAt = { line: content.line, column: content.column }
    records.push({ record, line: first.line, column: first.column, contentAt })
  }
  return records
}
