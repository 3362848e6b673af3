import { createReadStream } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { UsageError } from '../../../protocol/errors.js'
import { type Attached, MAX_ATTACHED } from './attachments.js'
import { isZip, openZip, type ZipArchive } from './zip.js'

/** A recording in a file, with the bodies that stand in other files. It can be read more than once. */
export interface RecordingFile {
  readonly open: () => AsyncIterable<Uint8Array>
  readonly attached: Attached
  close(): Promise<void>
}

/** Bytes that are read at once. */
const PIECE = 256 * 1024

/** The folder of the bodies in a trace of Playwright. */
const RESOURCES = 'resources'

/** True for the name of a file below a folder: no absolute one, none that leads out, and none that is hidden. */
const isBelow = (name: string): boolean =>
  name.length <= 400 && name.split('/').every(part => /^[^.\\:\0][^\\:\0]*$/.test(part))

/** Reads a file below a folder. Undefined for a folder, for a file that is too large, or whose links lead out of the folder. */
async function fileBelow(folder: string, name: string): Promise<Uint8Array | undefined> {
  let file: FileHandle | undefined
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, name))])
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
    file = await open(path, 'r')
    const found = await file.stat()
    return found.isFile() && found.size <= MAX_ATTACHED ? await file.readFile() : undefined
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

/** A reader of bodies by their names: beside the recording, or in the folder of a trace. */
function attachedIn(read: (name: string) => Promise<Uint8Array | undefined>): Attached {
  return async name =>
    isBelow(name) ? ((await read(name)) ?? (await read(`${RESOURCES}/${name}`))) : undefined
}

/** The recordings of an archive: its only .har file, or the network parts of a trace of Playwright. @throws UsageError */
function recordingsIn({ names }: ZipArchive): readonly string[] {
  const archives = names.filter(name => /\.har$/i.test(name) && !name.startsWith('__MACOSX/'))
  if (archives.length === 1) return archives
  const traces = names.filter(name => /(?:^|[.-])(?:trace\.)?network$/.test(name))
  if (archives.length === 0 && traces.length > 0) return traces
  throw new UsageError(
    archives.length === 0
      ? 'the zip archive holds no .har file, and no trace of Playwright'
      : `the zip archive holds ${archives.length} .har files`,
    ['Unpack it, and explain one of its recordings'],
  )
}

async function* inOrder(archive: ZipArchive, names: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const name of names) {
    yield* archive.stream(name)
    if (names.length > 1) yield Buffer.from('\n')
  }
}

/**
 * Opens a recording: a file with the bodies below its folder, or a zip archive with everything in it, as `recordHar` and the
 * traces of Playwright are. Nothing is unpacked to disk.
 * @throws UsageError for an archive without a recording; the error of the system for a file that cannot be read
 */
export async function openRecordingFile(path: string): Promise<RecordingFile> {
  // A pipe can be read once, and is no zip archive.
  const archive = (await stat(path)).isFile() ? await archiveIn(path) : undefined
  return (
    archive ?? {
      open: () => createReadStream(path, { highWaterMark: PIECE }),
      attached: attachedIn(name => fileBelow(dirname(path), name)),
      close: async () => {},
    }
  )
}

/** The recording in a zip archive. Undefined for every other file. @throws UsageError */
async function archiveIn(path: string): Promise<RecordingFile | undefined> {
  const file = await open(path, 'r')
  try {
    const beginning = Buffer.alloc(4)
    await file.read(beginning, 0, 4, 0)
    if (!isZip(beginning)) {
      await file.close()
      return undefined
    }
    const archive = await openZip(file)
    const names = recordingsIn(archive)
    const folder = dirname(names[0]!)
    const inFolder = (name: string) => (folder === '.' ? name : `${folder}/${name}`)
    return {
      open: () => inOrder(archive, names),
      attached: attachedIn(name => archive.read(inFolder(name), MAX_ATTACHED)),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}
