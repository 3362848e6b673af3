import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holdsEvents } from '../../judge/explain/read/explain-lines.js'
import { openRecording } from '../../judge/explain/read/source.js'
import { redactedEvents } from '../../judge/explain/redact/redact-events.js'
import { type Reopen, redactedHar } from '../../judge/explain/redact/redact-source.js'
import { UsageError } from '../../protocol/errors.js'
import { programVersion } from '../../protocol/version.js'
import { lineWriter } from '../flow/flow-output.js'

/** Bytes that are read at once. */
const PIECE = 256 * 1024

/** A recording that can be read more than once. */
export interface KeptRecording {
  readonly open: Reopen
  readonly close: () => Promise<void>
}

/**
 * Keeps stdin in a file, because redaction reads a recording twice. The file loses its name before the first byte is written, so
 * that it ends with this program, however that ends.
 */
export async function keepStdin(): Promise<KeptRecording> {
  const folder = await mkdtemp(join(tmpdir(), 'oauth-lab-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const file = await open(join(folder, 'recording'), 'wx+', 0o600)
  // Windows may keep the name of an open file until it is closed.
  await remove().catch(() => {})
  const close = async () => {
    await file.close()
    await remove()
  }
  try {
    for await (const chunk of process.stdin) await file.write(chunk as Uint8Array)
  } catch (error) {
    await close()
    throw error
  }
  return { open: () => file.createReadStream({ start: 0, autoClose: false, highWaterMark: PIECE }), close }
}

const real = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    // A file that is not there yet is no other file.
    return undefined
  }
}

/**
 * Checks that a recording can be redacted into a file.
 * @throws UsageError
 */
export function checkRedaction(file: string, output: string | undefined): string {
  if (output === undefined) {
    throw new UsageError('--redact needs a file to write', [
      'oauth-lab explain login.har --redact -o clean.har',
    ])
  }
  if (file !== '-' && real(file) !== undefined && real(file) === real(output)) {
    throw new UsageError(`${output} is the recording itself`, ['Name another file: -o clean.har'])
  }
  return output
}

/**
 * Writes a recording without its secrets: a HAR as a HAR, the events of a lab as events.
 * @throws UsageError for a run of `flow --json`
 */
export async function writeRedacted(read: Reopen, name: string, output: string): Promise<void> {
  const { kind } = await openRecording(read())
  const key = randomBytes(32)
  if (kind !== 'har' && !(await holdsEvents(read()))) {
    throw new UsageError(`${name} is no HAR, and cannot be redacted`, [
      'A run of this lab is written without secrets by:  oauth-lab flow code --export har',
    ])
  }
  const write = lineWriter(output)
  const pieces = kind === 'har' ? redactedHar(read, key, programVersion()) : redactedEvents(read, key)
  for await (const piece of pieces) write(piece)
}
