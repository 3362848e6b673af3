import { open } from 'node:fs/promises'
import { UsageError } from '../../protocol/errors.js'
import { MAX_INPUT, readStdin } from './stdin.js'

/**
 * Reads a file as UTF-8 text.
 * @param what the file holds, for messages: `the key`
 * @throws UsageError for a file that cannot be read or holds more than `limit` bytes
 */
export async function readInputFile(what: string, file: string, limit = MAX_INPUT): Promise<string> {
  return (await readInputBytes(what, file, limit)).toString('utf8')
}

/**
 * Reads a file as bytes.
 * @throws UsageError for a file that cannot be read or holds more than `limit` bytes
 */
export async function readInputBytes(what: string, file: string, limit = MAX_INPUT): Promise<Buffer> {
  try {
    const handle = await open(file)
    try {
      // Bytes are counted as they are read: a pipe or a device has no size in the file system.
      const chunks: Buffer[] = []
      let length = 0
      for await (const chunk of handle.createReadStream({ autoClose: false, end: limit })) {
        chunks.push(chunk)
        length += chunk.length
      }
      if (length > limit) throw new UsageError(`${what} ${file} is larger than ${limit} bytes`)
      return Buffer.concat(chunks, length)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`cannot read ${what} ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
}

/**
 * Reads a file as UTF-8 text, or stdin for `-`.
 * @throws UsageError for an input that cannot be read or holds more than `limit` bytes
 */
export async function readFileOrStdin(what: string, file: string, limit = MAX_INPUT): Promise<string> {
  return file === '-' ? (await readStdin(what, limit)).toString('utf8') : readInputFile(what, file, limit)
}
