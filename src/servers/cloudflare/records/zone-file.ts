import { defined } from '../../../protocol/values.js'
import { type DnsRecord, PROXIABLE_TYPES, RECORD_TYPES } from '../shapes.js'
import { quoted, quotedStrings, textStrings, unescaped } from './presentation.js'
import type { GivenRecord } from './record.js'
import { hasData } from './record-types.js'

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

/** TTL and class, in either order and both optional, then the type. */
function headOf(words: readonly FileWord[], owner: FileWord) {
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

// The lexical half of zone files (RFC 1035 §5.1): lines of words, each with its position.

/** A mistake in a zone file, with its line and column, which count from 1. */
export class ZoneFileError extends Error {
  override name = 'ZoneFileError'
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message)
  }
}

/** One word or quoted string as it was written, escapes and quotes included. */
interface FileWord {
  readonly raw: string
  readonly line: number
  readonly column: number
}

/** One entry: a line, or several within parentheses. */
interface FileLine {
  readonly words: readonly FileWord[]
  /** True when the line begins with a blank: its owner is that of the line before. */
  readonly continued: boolean
  /** The comment at the end of the line, without the semicolon. */
  readonly comment: string
  readonly line: number
}

const token =
  /[ \t\r\f\v]+|\n|;[^\n]*|[()]|"(?:[^"\\\n]|\\.)*"|(?:[^\s;()"\\]|\\.)(?:[^\s;()"\\]|\\.|"(?:[^"\\\n]|\\.)*")*/sy

/** The most words of an entry. No record of DNS has as many fields or strings. */
const MAX_WORDS = 4096

/**
 * Splits a zone file into its entries. Lines without words are left out.
 * @param maxEntries the most entries
 * @throws ZoneFileError
 */
export function zoneFileLines(text: string, maxEntries = Number.POSITIVE_INFINITY): FileLine[] {
  const lines: FileLine[] = []
  let words: FileWord[] = []
  let comment = ''
  let continued = false
  let fresh = true
  let depth = 0
  let line = 1
  let start = 0
  let first = 1
  const finish = () => {
    if (words.length > 0) lines.push({ words, continued, comment, line: first })
    words = []
    comment = ''
    continued = false
    fresh = true
  }
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at
    const found = token.exec(text)?.[0]
    const column = at - start + 1
    if (found === undefined) {
      throw new ZoneFileError(text[at] === '"' ? 'a quote has no end' : 'this is no word', line, column)
    }
    if (found === '\n') {
      if (depth === 0) finish()
      line++
      start = at + 1
    } else if (found.startsWith(';')) comment = found.slice(1).trim()
    else if (found === '(') depth++
    else if (found === ')') {
      if (--depth < 0) throw new ZoneFileError('a ) has no (', line, column)
    } else if (/^[ \t\r\f\v]/.test(found)) {
      if (fresh && depth === 0) continued = true
    } else {
      if (words.length === 0) first = line
      if (words.length >= MAX_WORDS) throw new ZoneFileError('this entry has too many words', line, column)
      if (lines.length >= maxEntries)
        throw new ZoneFileError(`there are more than ${maxEntries} entries`, line, column)
      words.push({ raw: found, line, column })
    }
    if (found !== '\n') fresh = false
  }
  if (depth > 0) throw new ZoneFileError('a ( has no )', line, text.length - start + 1)
  finish()
  return lines
}

/** Types whose content ends with a name. A zone file writes a dot after the name. */
const endsWithName = new Set(['CNAME', 'NS', 'PTR', 'MX', 'SRV', 'NAPTR'])

const dotted = (name: string): string => (name.endsWith('.') ? name : `${name}.`)

function contentText({ type, content, priority }: DnsRecord): string {
  if (type === 'TXT') return textStrings(content).map(quotedStrings).join(' ')
  if (type === 'URI') return `${priority} ${content}`
  if (type === 'HTTPS' || type === 'SVCB') {
    return content.replace(/^(\d+ )(\S+)/, (_, first: string, name: string) => first + dotted(name))
  }
  const text = endsWithName.has(type) ? dotted(content) : content
  return type === 'MX' && !hasData(type) ? `${priority} ${text}` : text
}

/** One record as a line of a zone file. The fields that DNS has no place for are in its comment. */
function zoneLine(record: DnsRecord): string {
  const { name, type, ttl, proxied, comment, tags } = record
  const marks = PROXIABLE_TYPES.includes(type) ? [`cf-proxied:${proxied}`, ...tags] : tags
  const said = comment === null ? [] : [comment]
  if (marks.length > 0) said.push(`cf_tags=${marks.join(',')}`)
  const ending = said.length === 0 ? '' : ` ; ${said.join(' ')}`
  return `${name}.\t${ttl}\tIN\t${type}\t${contentText(record)}${ending}`
}

/**
 * The zone file of a zone (RFC 1035 §5), with one section a type.
 * @param now milliseconds since the epoch
 */
export function zoneText(
  zone: { readonly name: string; readonly nameServers: readonly string[] },
  records: readonly DnsRecord[],
  now: number,
): string {
  const { name, nameServers } = zone
  const at = new Date(now).toISOString()
  const servers = nameServers.map(server => `${name}.\t86400\tIN\tNS\t${server}.`)
  const serial = `${at.slice(0, 10).replaceAll('-', '')}00`
  const head = [
    `;; Domain:     ${name}.`,
    `;; Exported:   ${at.slice(0, 19).replace('T', ' ')} UTC`,
    ';; For reading and for moving records; set the SOA and NS records to your own servers before use.',
    '',
    `${name}.\t3600\tIN\tSOA\t${nameServers[0] ?? name}. dns.${name}. ${serial} 10000 2400 604800 3600`,
    ...servers,
  ]
  const sections = RECORD_TYPES.flatMap(type => {
    const own = records.filter(record => record.type === type)
    return own.length === 0 ? [] : ['', `;; ${type} records`, ...own.map(zoneLine)]
  })
  return `${[...head, ...sections].join('\n')}\n`
}
