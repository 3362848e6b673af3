import { UsageError } from '../../../protocol/errors.js'
import { ClientRefusal } from './dns-client-errors.js'
import { checkEntries, type FileRecords, namesInZoneFile, zoneFileRecords } from './file-records.js'
import { jsonRecords } from './json-records.js'
import type { Problem } from './plan-check.js'
import type { Wanted } from './wanted.js'

/** A file of records that is parsed and not yet checked. */
export interface RecordFile {
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
