import { domainName } from '../records/names.js'
import { RecordError } from '../records/record-error.js'
import type { GivenRecord } from '../records/record-fields.js'
import { parseZoneFile } from '../records/zone-file.js'
import { ZoneFileError, zoneFileLines } from '../records/zone-file-lines.js'
import { fileProblems, type Problem } from './plan-check.js'
import { type Place, type Wanted, wantedRecord } from './wanted.js'

/** An unchecked record of a file with its position. */
export interface FileEntry {
  readonly given: GivenRecord
  readonly at: Place
  /** The position of the content, if known. */
  readonly contentAt?: Place
}

/** Codes of errors about other fields than the content: name, type, proxied, ttl, comment, tags. */
const notContent: readonly number[] = [9000, 9003, 9004, 9021, 9041, 9300, 9301]

/** The records of a file, and its mistakes. */
export interface FileRecords {
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
