import { readFile } from 'node:fs/promises'
import { fileProblem, UsageError } from '../../protocol/errors.js'
import { nearest } from '../../protocol/nearest.js'
import { isDeeper } from '../../protocol/values.js'
import { parseYaml, YamlTextError } from '../../protocol/yaml-text.js'

/** From the top of a lab file to a value. */
export type Path = readonly (string | number)[]

/** The content of a lab file with positions. */
export interface LabFileSource {
  readonly file: string
  readonly value: unknown
  /** The place of a value; for a missing one that of its nearest parent. */
  readonly placeOf: (path: Path) => Place | undefined
}

/** A place in a file. Line and column count from 1. */
interface Place {
  readonly line: number
  readonly column: number
  /** The line itself, without the blanks around it and without secrets. */
  readonly text: string
}

/** Bytes. */
const MAX_BYTES = 4 * 1024 * 1024

function unreadable(file: string, error: unknown): UsageError {
  return new UsageError(`cannot read the lab file ${file}: ${fileProblem(error)}`, [
    'See the built-in one:  oauth-lab config show',
  ])
}

/** JSON is YAML too, so one parser reads both. @throws UsageError that names the file and the line */
export async function readLabFile(file: string): Promise<LabFileSource> {
  let content: Buffer
  try {
    content = await readFile(file)
  } catch (error) {
    throw unreadable(file, error)
  }
  if (content.length > MAX_BYTES) throw new UsageError(`the lab file ${file} is larger than 4 MiB`)
  return parseLabFile(file, content.toString('utf8').replace(/^\ufeff/, ''))
}

/** Deepest nesting of a lab file, as in YAML. */
const MAX_DEPTH = 200

/** Characters from which on a lab file was written by a program: that of a room has the accounts of 500 seats. */
const LARGE = 100_000

/**
 * The value of large, compact JSON: it is one line, and has no key twice. Undefined for any other text. The YAML parser needs two seconds for the lab file of
 * a room, and this way a fiftieth.
 */
function compactJson(content: string): unknown {
  if (content.length < LARGE) return undefined
  try {
    const value: unknown = JSON.parse(content)
    if (isDeeper(value, MAX_DEPTH)) return undefined
    return JSON.stringify(value) === content.trimEnd() ? value : undefined
  } catch {
    return undefined
  }
}

/** @throws UsageError that names the file and the line */
export async function parseLabFile(file: string, content: string): Promise<LabFileSource> {
  const compact = compactJson(content)
  if (compact !== undefined) {
    const place = { line: 1, column: 1, text: `${content.slice(0, 20)}…` }
    return { file, value: compact, placeOf: () => place }
  }
  const lines = content.split(/\r\n|[\r\n]/)
  const parsed = await parseYaml(content).catch(error => {
    if (!(error instanceof YamlTextError)) throw error
    // A list or a map that nothing ends is missed behind the last line.
    const line = lines.slice(0, error.line).findLastIndex(each => each.trim() !== '') + 1
    const column = line === error.line ? error.column : (lines[line - 1]?.length ?? 0) + 1
    throw new UsageError(`this is neither YAML nor JSON: ${error.message}`, [
      `${file}:${Math.max(line, 1)}:${column}: ${shownLine(lines[line - 1])}`,
      'Mend this line; a lab file is YAML or JSON:  oauth-lab config show',
    ])
  })
  // All clients of a file may stand in one line, with a remark each.
  const shown: string[] = []
  const placeOf = (path: Path): Place | undefined => {
    const place = parsed.placeOf(path)
    if (place === undefined) return undefined
    shown[place.line] ??= shownLine(lines[place.line - 1])
    return { ...place, text: shown[place.line]! }
  }
  return { file, value: parsed.value, placeOf }
}

/** Longest line of a file in a message, and as much as is read of it, in characters. */
const MAX_SHOWN = 100
const MAX_READ = 1_000

/** A line of a text for a message: without the values of secrets. */
function shownLine(line = ''): string {
  const text = line.trim().slice(0, MAX_READ)
  const shown = text.replace(
    /((["']?)([\w-]+)\2\s*:\s*)("[^"]*"?|'[^']*'?|[^\s,{}[\]]+)/g,
    (whole, before: string, _quote: string, name: string) => (isSecret(name) ? `${before}…` : whole),
  )
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN - 1)}…` : shown
}

/** Fields whose values no message repeats. */
export const SECRET_FIELDS: readonly string[] = [
  'client_secret',
  'password',
  'password_hash',
  'totp_secret',
  'signing_secret',
  'token',
  'key',
]

/** True for a field that holds a secret. A misspelt one does too. */
const isSecret = (name: string) => /secret|passw/i.test(name) || nearest(name, SECRET_FIELDS) !== undefined
