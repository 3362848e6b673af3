import {
  checkEntries,
  type FileRecords,
  namesInZoneFile,
  zoneFileRecords,
} from '../../cloudflare/client/file-records.js'
import type { Problem } from '../../cloudflare/client/plan-check.js'
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

/** Mistakes in a file as one error; undefined where there are none. */
export function fileError(file: string, problems: readonly Problem[]): UsageError | undefined {
  const [first, ...more] = problems.map(each => written(file, each))
  if (first === undefined) return undefined
  const rest = more.length - (SHOWN - 1)
  return new UsageError(first, [
    ...more.slice(0, SHOWN - 1),
    ...(rest > 0 ? [`and ${rest} more mistakes`] : []),
  ])
}

async function readText(file: string): Promise<string> {
  if (file === '-') {
    const { readStdin } = await import('../stdin.js')
    return (await readStdin('the records')).toString('utf8')
  }
  const { readInputFile } = await import('../input-file.js')
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
    const error = fileError(name, problems)
    if (error) throw error
    return wanted
  }
  if (!/^\s*[[{]/.test(text)) {
    return { name, names: namesInZoneFile(text), records: checked(zone => zoneFileRecords(text, zone)) }
  }
  const found = await jsonRecords(text)
  if (found.entries === undefined) throw fileError(name, [found.problem])
  const { entries } = found
  const names = entries.flatMap(({ given }) => (typeof given.name === 'string' ? [given.name] : []))
  return { name, names, records: checked(zone => checkEntries(entries, zone)) }
}
