import {
  checkEntries,
  type FileRecords,
  namesInZoneFile,
  zoneFileRecords,
} from '../../cloudflare/client/file-records.js'
import type { Problem } from '../../cloudflare/client/plan-check.js'
import { ClientRefusal } from '../../cloudflare/client/refusal.js'
import type { Wanted } from '../../cloudflare/client/wanted.js'
import { UsageError } from '../../errors.js'
import { jsonRecords } from './json-records.js'

/** A file of records that was read, and not yet checked. */
export interface RecordFile {
  /** As it was typed; `stdin` for `-`. */
  readonly name: string
  /** Full names in it: they tell which zone it is of. */
  readonly names: readonly string[]
  /**
   * Its records.
   * @param zone the name of the zone
   * @throws UsageError that names file, line and column
   */
  readonly records: (zone: string) => readonly Wanted[]
}

/** So many mistakes are shown; the rest is counted. */
const SHOWN = 10

const written = (file: string, { message, at }: Problem): string =>
  at === undefined ? `${file}: ${message}` : `${file}:${at.line}:${at.column}: ${message}`

/** Mistakes in lines: the first one, and the others below it. */
function problemLines(file: string, problems: readonly Problem[]): readonly [string, string[]] | undefined {
  const [first, ...more] = problems.map(each => written(file, each))
  if (first === undefined) return undefined
  const rest = more.length - (SHOWN - 1)
  return [first, [...more.slice(0, SHOWN - 1), ...(rest > 0 ? [`and ${rest} more mistakes`] : [])]]
}

/** @throws UsageError where there are mistakes in a file */
function throwMistakes(file: string, problems: readonly Problem[]): void {
  const lines = problemLines(file, problems)
  if (lines) throw new UsageError(...lines)
}

/** @throws ClientRefusal where records of a file and of the zone may not stand beside each other */
export function throwConflicts(file: string, problems: readonly Problem[]): void {
  const lines = problemLines(file, problems)
  if (lines) throw new ClientRefusal(...lines)
}

async function readText(file: string): Promise<string> {
  if (file === '-') {
    const { readStdin } = await import('../../input/stdin.js')
    return (await readStdin('the records')).toString('utf8')
  }
  const { readInputFile } = await import('../../input/input-file.js')
  return readInputFile('the records', file)
}

/**
 * Reads a zone file, or JSON where it looks like that.
 * @throws UsageError where it cannot be read, or is broken as a whole
 */
export async function readRecordFile(file: string): Promise<RecordFile> {
  const name = file === '-' ? 'stdin' : file
  const text = (await readText(file)).replace(/^\ufeff/, '')
  const checked = (records: (zone: string) => FileRecords) => (zone: string) => {
    const { wanted, problems } = records(zone)
    throwMistakes(name, problems)
    return wanted
  }
  if (!/^\s*[[{]/.test(text)) {
    return { name, names: namesInZoneFile(text), records: checked(zone => zoneFileRecords(text, zone)) }
  }
  const found = await jsonRecords(text)
  if (found.problem !== undefined) throwMistakes(name, [found.problem])
  const { entries = [] } = found
  const names = entries.flatMap(({ given }) => (typeof given.name === 'string' ? [given.name] : []))
  return { name, names, records: checked(zone => checkEntries(entries, zone)) }
}
