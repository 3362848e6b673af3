import { UsageError } from '../../../protocol/errors.js'
import { isJsonObject, parsedJson } from '../../../protocol/values.js'
import { parseYaml, YamlTextError } from '../../../protocol/yaml-text.js'
import { domainName } from '../records/names.js'
import type { GivenRecord } from '../records/record.js'
import { RecordError } from '../records/record-types.js'
import { parseZoneFile, ZoneFileError, zoneFileLines } from '../records/zone-file.js'
import { fileProblems, type Place, type Problem, type Wanted, wantedRecord } from './plan.js'
import { ClientRefusal } from './service.js'

/** A file of records that is parsed and not yet checked. */
interface RecordFile {
  /** The name of the file as typed; `stdin` for `-`. */
  readonly name: string
  /** The full names in the file. They show which zone the file belongs to. */
  readonly names: readonly string[]
  /**
   * Returns the records of the file.
   * @param zone the name of the zone
   * @throws UsageError that names file, line and column
   */
  readonly records: (zone: string) => readonly Wanted[]
}

/** The most mistakes that are shown. The rest is counted. */
const SHOWN = 10

/** Formats mistakes as lines: the first, and the others below. */
function problemLines(file: string, problems: readonly Problem[]): readonly [string, string[]] | undefined {
  const [first, ...more] = problems.map(({ message, at }) =>
    at === undefined ? `${file}: ${message}` : `${file}:${at.line}:${at.column}: ${message}`,
  )
  if (first === undefined) return undefined
  const rest = more.length - (SHOWN - 1)
  return [first, [...more.slice(0, SHOWN - 1), ...(rest > 0 ? [`and ${rest} more mistakes`] : [])]]
}

/** Reports the mistakes of a file. @throws UsageError when there are any */
function throwMistakes(file: string, problems: readonly Problem[]): void {
  const lines = problemLines(file, problems)
  if (lines) throw new UsageError(...lines)
}

/** Reports records of a file that conflict with records of the zone. @throws ClientRefusal when there are any */
export function throwConflicts(file: string, problems: readonly Problem[]): void {
  const lines = problemLines(file, problems)
  if (lines) throw new ClientRefusal(...lines)
}

/**
 * Reads a text as JSON when it begins like JSON, else as a zone file.
 * @throws UsageError for a file that is broken as a whole
 */
export async function readRecordFile(name: string, given: string): Promise<RecordFile> {
  const text = given.replace(/^\ufeff/, '')
  const checked = (records: (zone: string) => FileRecords) => (zone: string) => {
    const { wanted, problems } = records(zone)
    throwMistakes(name, problems)
    return wanted
  }
  if (!/^\s*[[{]/.test(text)) {
    return { name, names: namesInZoneFile(text), records: checked(zone => zoneFileRecords(text, zone)) }
  }
  const { entries = [], problem } = await jsonRecords(text)
  if (problem) throwMistakes(name, [problem])
  const names = entries.flatMap(({ given: { name: each } }) => (typeof each === 'string' ? [each] : []))
  return { name, names, records: checked(zone => checkEntries(entries, zone)) }
}

/** An unchecked record of a file with its position. */
interface FileEntry {
  readonly given: GivenRecord
  readonly at: Place
  /** The position of the content, if known. */
  readonly contentAt?: Place
}

/** Codes of errors about other fields than the content: name, type, proxied, ttl, comment, tags. */
const notContent: readonly number[] = [9000, 9003, 9004, 9021, 9041, 9300, 9301]

/** The records of a file, and its mistakes. */
interface FileRecords {
  readonly wanted: readonly Wanted[]
  readonly problems: readonly Problem[]
}

const byPlace = (a: Problem, b: Problem): number => (a.at?.line ?? 0) - (b.at?.line ?? 0)

/** Checks the records of a file. */
export function checkEntries(entries: readonly FileEntry[], zone: string): FileRecords {
  const wanted: Wanted[] = []
  const problems: Problem[] = []
  for (const { given, at, contentAt = at } of entries) {
    try {
      wanted.push(wantedRecord(given, zone, at))
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      const place = notContent.includes(error.code) ? at : contentAt
      problems.push({ message: `${error.message} (${error.code})`, at: place })
    }
  }
  return { wanted, problems: [...problems, ...fileProblems(wanted, zone)].sort(byPlace) }
}

/**
 * Reads the records of a zone file. All names in it are absolute after reading, so a name outside the zone is a mistake.
 * @param zone the name of the zone
 */
export function zoneFileRecords(text: string, zone: string): FileRecords {
  try {
    const outside: Problem[] = []
    const entries = parseZoneFile(text, zone).flatMap(({ record, line, column, contentAt }): FileEntry[] => {
      const name = domainName(record.name)
      const at = { line, column }
      // checkEntries reports texts that are not names.
      if (name === undefined || name === zone || name.endsWith(`.${zone}`)) {
        return [{ given: record, at, contentAt }]
      }
      outside.push({ message: `${name} is not within the zone ${zone}`, at })
      return []
    })
    const { wanted, problems } = checkEntries(entries, zone)
    return { wanted, problems: [...outside, ...problems].sort(byPlace) }
  } catch (error) {
    if (!(error instanceof ZoneFileError)) throw error
    const { message, line, column } = error
    return { wanted: [], problems: [{ message, at: { line, column } }] }
  }
}

/** Returns the absolute names at the beginnings of lines. They show which zone the file belongs to. */
export function namesInZoneFile(text: string): string[] {
  try {
    return zoneFileLines(text).flatMap(({ words: [first, second], continued }) => {
      const name = first?.raw.toUpperCase() === '$ORIGIN' ? second?.raw : continued ? '' : first?.raw
      return name !== undefined && name.length > 1 && name.endsWith('.') ? [name] : []
    })
  } catch (error) {
    if (error instanceof ZoneFileError) return []
    throw error
  }
}

/** The entries of a JSON file, or the mistake that makes the whole file unreadable. */
type JsonRecords =
  | { readonly entries: readonly FileEntry[]; readonly problem?: undefined }
  | { readonly entries?: undefined; readonly problem: Problem }

const unreadable = (message: string, at: Place): JsonRecords => ({ problem: { message, at } })

/** Returns the line and column of an offset. */
function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

/** Finds the list of records in a file: the file itself, or a member as in an answer of the API. */
function listIn(value: unknown): { readonly list: readonly unknown[]; readonly below?: string } | undefined {
  if (Array.isArray(value)) return { list: value }
  if (!isJsonObject(value)) return undefined
  for (const below of ['result', 'records']) {
    const list = value[below]
    if (Array.isArray(list)) return { list, below }
  }
  return undefined
}

/** Returns the position of a syntax error. Node's parser does not always report one; the YAML parser reads JSON too. */
async function syntaxPlace(text: string): Promise<Place> {
  const offset = await parseYaml(text).then(
    () => text.length,
    error => (error instanceof YamlTextError ? error.offset : text.length),
  )
  return placeOf(text, Math.min(offset, text.trimEnd().length))
}

/**
 * The places at which the elements of a list begin. The text must be JSON.
 * @param below the member that holds the list; undefined when the text is the list
 */
function elementPlaces(text: string, below: string | undefined): readonly Place[] {
  const token = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|\n|[^\s"[\]{}:,]+/g
  const inside = below === undefined ? 1 : 2
  const places: Place[] = []
  let [depth, line, start, expected, member, named] = [0, 1, 0, false, '', below === undefined]
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '\n') {
      line++
      start = index + 1
      continue
    }
    if (expected && named && depth === inside && found !== ']')
      places.push({ line, column: index - start + 1 })
    expected = false
    if (found === '[' || found === '{') {
      depth++
      expected = found === '[' && depth === inside
    } else if (found === ']' || found === '}') depth--
    else if (found === ',') expected = depth === inside
    else if (found === ':' && depth === 1) named = below === undefined || JSON.parse(member) === below
    else if (depth === 1) member = found
  }
  return places
}

/** Reads JSON with one object per line. */
function jsonLines(text: string): JsonRecords {
  const entries: FileEntry[] = []
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = { line: i + 1, column: 1 + line.search(/\S/) }
    try {
      const given: unknown = JSON.parse(line)
      if (!isJsonObject(given)) return unreadable('a record is an object', at)
      entries.push({ given, at })
    } catch {
      return unreadable('this line is no JSON', at)
    }
  }
  return { entries }
}

/** True for a text with one object per line, as `-o jsonl` writes. */
function isJsonLines(text: string): boolean {
  const [first = '', second] = text.split('\n').filter(line => line.trim() !== '')
  return second !== undefined && /^\s*\{.*\}\s*$/.test(first) && /^\s*\{/.test(second)
}

/** Reads the records of a JSON file: a list, an answer of the API, or one object per line. */
export async function jsonRecords(text: string): Promise<JsonRecords> {
  if (isJsonLines(text)) return jsonLines(text)
  const value = parsedJson(text)
  if (value === undefined) return unreadable('this is no JSON', await syntaxPlace(text))
  const start = { line: 1, column: 1 }
  const { list, below } = listIn(value) ?? {
    list: isJsonObject(value) && 'type' in value ? [value] : undefined,
    below: undefined,
  }
  if (list === undefined) return unreadable('records are a list, alone or as the member result', start)
  const places = elementPlaces(text, below)
  const entries: FileEntry[] = []
  for (const [i, given] of list.entries()) {
    const at = places[i] ?? start
    if (!isJsonObject(given)) return unreadable('a record is an object', at)
    entries.push({ given, at })
  }
  return { entries }
}
