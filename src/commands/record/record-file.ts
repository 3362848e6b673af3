import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { UsageError } from '../../protocol/errors.js'
import { writeNewFile } from '../output/screen-offers.js'

/** The name of a recording for which no name was given. */
const DEFAULT_NAME = 'login.har'

/** The file of a recording, checked before anything is recorded. */
export interface RecordFile {
  /** Writes the recording, for its owner alone, and returns its name. */
  readonly write: (lines: Iterable<string>) => Promise<string>
  /** Nothing was recorded: leaves no empty file behind. */
  readonly discard: () => void
}

const cannot = (file: string, error: unknown): UsageError =>
  new UsageError(`cannot write ${file} (${(error as NodeJS.ErrnoException).code})`)

/** Checks that a recording can be written. @throws UsageError */
export function recordFile(output: string | undefined): RecordFile {
  return output === undefined ? newFile() : namedFile(output)
}

function newFile(): RecordFile {
  try {
    accessSync('.', constants.W_OK)
  } catch (error) {
    throw cannot(`./${DEFAULT_NAME}`, error)
  }
  return { write: lines => writeNewFile(DEFAULT_NAME, `${[...lines].join('\n')}\n`), discard: () => {} }
}

function namedFile(file: string): RecordFile {
  const existed = existsSync(file)
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw cannot(file, error)
  }
  return {
    async write(lines) {
      const descriptor = openSync(file, 'w', 0o600)
      try {
        // A file that was there before may be readable for others.
        if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600)
        for (const line of lines) writeSync(descriptor, `${line}\n`)
      } finally {
        closeSync(descriptor)
      }
      return file
    },
    discard() {
      if (!existed) rmSync(file, { force: true })
    },
  }
}
