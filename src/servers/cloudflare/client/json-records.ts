import { isJsonObject } from '../../../protocol/values.js'
import { parseYaml, YamlTextError } from '../../../protocol/yaml-text.js'
import type { FileEntry } from './file-records.js'
import type { Problem } from './plan-check.js'
import type { Place } from './wanted.js'

/** The entries of a JSON file, or the mistake that makes the whole file unreadable. */
export type JsonRecords =
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
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return unreadable('this is no JSON', await syntaxPlace(text))
  }
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
