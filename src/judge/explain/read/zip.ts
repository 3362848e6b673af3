import type { FileHandle } from 'node:fs/promises'
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import { UsageError } from '../../../protocol/errors.js'

/** A file in a zip archive. */
interface ZipEntry {
  readonly name: string
  /** 0: stored. 8: deflated. */
  readonly method: number
  /** Bytes in the archive, and of the file. */
  readonly packed: number
  readonly size: number
  readonly at: number
}

/** A zip archive whose files are read where they stand: nothing is unpacked to disk. */
export interface ZipArchive {
  readonly names: readonly string[]
  /** Reads a whole file. Undefined for one that is not there, or larger than `limit` bytes. */
  read(name: string, limit: number): Promise<Uint8Array | undefined>
  /** Reads a file as a stream. @throws UsageError for one that is broken, or not there */
  stream(name: string): AsyncIterable<Uint8Array>
}

/** Signatures, by their names in APPNOTE.TXT. */
const END_OF_CENTRAL_DIRECTORY = 0x06054b50
const CENTRAL_HEADER = 0x02014b50
const LOCAL_HEADER = 0x04034b50

/** Bytes of the end record without its comment, and of the longest comment. */
const END_SIZE = 22
const MAX_COMMENT = 0xffff

/** Largest directory of an archive that is read, in bytes. */
const MAX_DIRECTORY = 32 * 1024 * 1024

/** Largest file of an archive that is read, in bytes. */
const MAX_FILE = 2 * 1024 * 1024 * 1024

/** Bytes that are read at once. */
const PIECE = 256 * 1024

const broken = (problem: string) =>
  new UsageError(`the zip archive cannot be read: ${problem}`, ['Unpack it, and explain the .har file in it'])

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, at)
  if (bytesRead < length) throw broken('it ends too early')
  return buffer
}

/** The files of the central directory (APPNOTE.TXT §4.3.12). */
function entriesIn(directory: Buffer, count: number): ZipEntry[] {
  const entries: ZipEntry[] = []
  for (let at = 0; entries.length < count; ) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== CENTRAL_HEADER)
      throw broken('its directory is broken')
    const [nameLength, extra, comment] = [28, 30, 32].map(offset => directory.readUInt16LE(at + offset))
    const end = at + 46 + nameLength!
    const entry = {
      name: directory.toString('utf8', at + 46, end),
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      at: directory.readUInt32LE(at + 42),
    }
    const isEncrypted = (directory.readUInt16LE(at + 8) & 1) === 1
    if (!isEncrypted && (entry.method === 0 || entry.method === 8)) entries.push(entry)
    else count -= 1
    at = end + extra! + comment!
  }
  return entries
}

/** Opens a zip archive. Encrypted files, and those of other methods than deflate, are left out. @throws UsageError */
export async function openZip(file: FileHandle): Promise<ZipArchive> {
  const { size } = await file.stat()
  const tail = await bytesAt(
    file,
    Math.max(0, size - END_SIZE - MAX_COMMENT),
    Math.min(size, END_SIZE + MAX_COMMENT),
  )
  const signature = Buffer.alloc(4)
  signature.writeUInt32LE(END_OF_CENTRAL_DIRECTORY)
  const end = tail.lastIndexOf(signature, tail.length - END_SIZE)
  if (end < 0) throw broken('it has no directory')
  const [length, at] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (length === 0xffffffff || at === 0xffffffff) throw broken('it is larger than 4 GB')
  if (length > MAX_DIRECTORY) throw broken('it has too many files')
  const entries = entriesIn(await bytesAt(file, at, length), tail.readUInt16LE(end + 10))
  const byName = new Map(entries.map(entry => [entry.name, entry]))

  /** The place of the bytes of a file: the local header may have other extra fields than the directory. */
  async function placeOf({ at: header }: ZipEntry): Promise<number> {
    const local = await bytesAt(file, header, 30)
    if (local.readUInt32LE(0) !== LOCAL_HEADER) throw broken('a file of it is not where its directory says')
    return header + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  }

  async function* packedBytes(entry: ZipEntry): AsyncGenerator<Buffer, void, void> {
    const begin = await placeOf(entry)
    for (let done = 0; done < entry.packed; done += PIECE)
      yield await bytesAt(file, begin + done, Math.min(PIECE, entry.packed - done))
  }

  return {
    names: entries.map(({ name }) => name),
    async read(name, limit) {
      const entry = byName.get(name)
      if (entry === undefined || entry.size > limit || entry.packed > limit) return undefined
      const packed = await bytesAt(file, await placeOf(entry), entry.packed)
      try {
        return entry.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: limit })
      } catch {
        return undefined
      }
    },
    async *stream(name) {
      const entry = byName.get(name)
      if (entry === undefined) throw broken(`it has no ${name}`)
      if (entry.method === 0) return yield* packedBytes(entry)
      const inflate = createInflateRaw()
      const { pipeline } = await import('node:stream/promises')
      const fed = pipeline(packedBytes(entry), inflate)
      fed.catch(() => {})
      let read = 0
      try {
        for await (const piece of inflate as AsyncIterable<Buffer>) {
          read += piece.length
          if (read > MAX_FILE) throw broken(`${name} has more than 2 GB`)
          yield piece
        }
        await fed
      } catch (error) {
        if (error instanceof UsageError) throw error
        throw broken(`${name} is damaged`)
      }
    },
  }
}
