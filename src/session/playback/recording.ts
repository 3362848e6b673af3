import { readRecord } from '../../flows/records/read-record.js'
import { RecordError } from '../../flows/records/record-reader.js'
import type { FlowRecord } from '../../flows/step.js'
import { UsageError } from '../../protocol/errors.js'
import { readInputFile } from '../input/input-file.js'
import { readStdin } from '../input/stdin.js'

/** Largest recording, in bytes. One exchange may hold a body of 1 MiB. */
const MAX_RECORDING = 32 * 1024 * 1024
const MAX_RECORDS = 1000

function recordOf(line: string, fail: (problem: string) => UsageError): FlowRecord {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw fail('this is not JSON; was the file cut here?')
  }
  try {
    return readRecord(value)
  } catch (error) {
    if (error instanceof RecordError) throw fail(error.message)
    throw error
  }
}

/**
 * Parses the records of a run that `flow … --json` wrote: steps, then one outcome.
 * @param name the file, for messages
 * @throws UsageError that names the file and the line
 */
export function parseRecording(text: string, name: string): FlowRecord[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split(/\r?\n/)
  const failure = (line: number, problem: string) =>
    new UsageError(`${name}, line ${line}: ${problem}`, [
      'Record a run:  oauth-lab flow code --json > run.jsonl',
    ])
  if (text.trim() === '') throw failure(1, 'the recording is empty; did the command before it fail?')
  if (lines.length > MAX_RECORDS) throw failure(MAX_RECORDS + 1, `a run has at most ${MAX_RECORDS} lines`)
  const records: FlowRecord[] = []
  for (const [i, line] of lines.entries()) {
    if (records.at(-1)?.type === 'outcome') throw failure(i + 1, 'the run ended on the line before')
    records.push(recordOf(line, problem => failure(i + 1, problem)))
  }
  if (records.at(-1)?.type !== 'outcome') {
    throw failure(lines.length, 'the file ends here without an outcome; was it cut?')
  }
  return records
}

/**
 * Reads a recording from a file, or from stdin for `-`.
 * @throws UsageError
 */
export async function readRecording(file: string): Promise<FlowRecord[]> {
  if (file !== '-') return parseRecording(await readInputFile('the recording', file, MAX_RECORDING), file)
  return parseRecording((await readStdin('the recording', MAX_RECORDING)).toString('utf8'), 'stdin')
}
