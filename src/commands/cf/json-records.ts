import type { FileEntry } from '../../cloudflare/client/file-records.js'
import type { Problem } from '../../cloudflare/client/plan-check.js'
import type { Place } from '../../cloudflare/client/wanted.js'
import { isJsonObject } from '../../oauth/json-object.js'

/** The entries of a JSON file, or what is wrong with it as a whole. */
export type JsonRecords =
  | { readonly entries: readonly FileEntry[]; readonly problem?: undefined }
  | { readonly entries?: undefined; readonly problem: Problem }

/** A place in a text. */
function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

/** The list in a file: alone, or as an answer of the API has it. */
function listIn(value: unknown): { readonly list: readonly unknown[]; readonly below?: string } | undefined {
  if (Array.isArray(value)) return { list: value }
  if (!isJsonObject(value)) return undefined
  for (const below of ['result', 'records']) {
    const list = value[below]
    if (Array.isArray(list)) return { list, below }
  }
  return undefined
}

/** Where the parser of JSON gave up. Node's own does not always say; YAML is read where JSON is. */
async function syntaxPlace(text: string): Promise<Place> {
  const { parseDocument } = await import('yaml')
  const [error] = parseDocument(text, { logLevel: 'silent' }).errors
  return placeOf(text, Math.min(error?.pos[0] ?? text.length, text.trimEnd().length))
}

/**
 * Where the elements of a list begin, in a text that is known to be JSON.
 * @param below the member that holds the list; left out: the text is the list
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

/** Each line its own object. */
function jsonLines(text: string): JsonRecords {
  const entries: FileEntry[] = []
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = { line: i + 1, column: 1 + line.search(/\S/) }
    try {
      const given: unknown = JSON.parse(line)
      if (!isJsonObject(given)) return { problem: { message: 'a record is an object', at } }
      entries.push({ given, at })
    } catch {
      return { problem: { message: 'this line is no JSON', at } }
    }
  }
  return { entries }
}

/** Whether a text looks like objects one a line, as `-o jsonl` writes them. */
function looksLikeLines(text: string): boolean {
  const [first = '', second] = text.split('\n').filter(line => line.trim() !== '')
  return second !== undefined && /^\s*\{.*\}\s*$/.test(first) && /^\s*\{/.test(second)
}

/** The records in a JSON file: a list, an answer of the API, or one object a line. */
export async function jsonRecords(text: string): Promise<JsonRecords> {
  if (looksLikeLines(text)) return jsonLines(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: { message: 'this is no JSON', at: await syntaxPlace(text) } }
  }
  const found = listIn(value) ?? (isJsonObject(value) && 'type' in value ? { list: [value] } : undefined)
  if (found === undefined) {
    return {
      problem: { message: 'records are a list, alone or as the member result', at: { line: 1, column: 1 } },
    }
  }
  const places = elementPlaces(text, found.below)
  const at = (nth: number) => places[nth] ?? { line: 1, column: 1 }
  const wrong = found.list.findIndex(each => !isJsonObject(each))
  if (wrong >= 0) return { problem: { message: 'a record is an object', at: at(wrong) } }
  const list = found.list as readonly Readonly<Record<string, unknown>>[]
  return { entries: list.map((given, i) => ({ given, at: at(i) })) }
}
