import type { FileHandle } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Entry } from 'yauzl'
import { fileProblem, UsageError } from '../../../protocol/errors.js'

/** True for a file that begins as a zip archive does. */
export const isZip = (beginning: Buffer): boolean => beginning.toString('latin1') === 'PK\x03\x04'

/** A zip archive whose files are read where they stand: nothing is unpacked to disk. */
export interface ZipArchive {
  readonly names: readonly string[]
  /** Reads a whole file. Undefined for one that is not there, that is damaged, or that is larger than `limit` bytes. */
  read(name: string, limit: number): Promise<Uint8Array | undefined>
  /** Reads a file as a stream. @throws UsageError for one that is broken, or not there */
  stream(name: string): AsyncIterable<Uint8Array>
}

/** Most files of an archive, and its largest directory in bytes. */
const MAX_FILES = 200_000
const MAX_DIRECTORY = 32 * 1024 * 1024

/** Largest file of an archive that is read, in bytes. */
const MAX_FILE = 2 * 1024 * 1024 * 1024

/** Largest archive that is held in memory, in bytes. Its directory is read four times as fast as that of a file. */
const MAX_HELD = 64 * 1024 * 1024

const broken = (problem: string) =>
  new UsageError(`the zip archive cannot be read: ${problem}`, ['Unpack it, and explain the .har file in it'])

const isWithin = (entry: Entry, limit: number) =>
  entry.compressedSize <= limit && entry.uncompressedSize <= limit

/** Opens a zip archive. Encrypted files, and those of other methods than deflate, are left out. @throws UsageError */
export async function openZip(file: FileHandle): Promise<ZipArchive> {
  const { fromBufferPromise, fromFdPromise } = await import('yauzl')
  const { size } = await file.stat()
  const opened = size <= MAX_HELD ? fromBufferPromise(await file.readFile()) : fromFdPromise(file.fd)
  const zip = await opened.catch((error: unknown) => {
    throw broken(fileProblem(error))
  })
  if (zip.entryCount > MAX_FILES) throw broken('it has too many files')
  const entries = new Map<string, Entry>()
  let directory = 0
  try {
    for await (const entry of zip.eachEntry()) {
      directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (directory > MAX_DIRECTORY) throw new Error('it has too many files')
      if (entry.canDecodeFileData()) entries.set(entry.fileName, entry)
    }
  } catch (error) {
    throw broken(fileProblem(error))
  }
  return {
    names: [...entries.keys()],
    async read(name, limit) {
      const entry = entries.get(name)
      if (entry === undefined || !isWithin(entry, limit)) return undefined
      return zip
        .openReadStreamPromise(entry)
        .then(buffer)
        .catch(() => undefined)
    },
    async *stream(name) {
      const entry = entries.get(name)
      if (entry === undefined) throw broken(`it has no ${name}`)
      if (!isWithin(entry, MAX_FILE)) throw broken(`${name} has more than 2 GB`)
      try {
        yield* await zip.openReadStreamPromise(entry)
      } catch {
        throw broken(`${name} is damaged`)
      }
    },
  }
}
