import { createReadStream, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { ReadStream } from 'node:tty'
import { UsageError } from '../../protocol/errors.js'
import { holdsEvents } from './event-feed.js'

/** Bytes of a file that are read to find out its kind. */
const PEEKED = 64 * 1024

async function beginningOfFile(file: string): Promise<string> {
  try {
    const handle = await open(file)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(PEEKED), 0, PEEKED)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new UsageError(`cannot read the recording ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** The beginning of stdin. It is put back, so that the next reader reads it too. */
async function beginningOfStdin(): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) return ''
  const chunk = await new Promise<Buffer | null>((resolve, reject) => {
    stdin.once('error', reject)
    stdin.once('end', () => resolve(null))
    stdin.once('readable', () => resolve(stdin.read() as Buffer | null))
  })
  if (chunk === null) return ''
  stdin.unshift(chunk)
  return chunk.toString('utf8')
}

/**
 * True when a file, or stdin for `-`, holds the events of a lab and not the steps of a flow.
 * @throws UsageError for a file that cannot be read
 */
export async function isEventFile(file: string): Promise<boolean> {
  return holdsEvents(file === '-' ? await beginningOfStdin() : await beginningOfFile(file))
}

/** Opens a file, or stdin for `-`, as a stream of text. */
export function openSource(file: string): Readable {
  const source = file === '-' ? process.stdin : createReadStream(file)
  return source.setEncoding('utf8')
}

/** Opens the keyboard: stdin, or the terminal of the program when stdin is a pipe. Undefined without a terminal. */
export function openKeyboard(): NodeJS.ReadStream | undefined {
  if (process.stdin.isTTY) return process.stdin
  try {
    return new ReadStream(openSync(process.platform === 'win32' ? 'CONIN$' : '/dev/tty', 'r'))
  } catch {
    return undefined
  }
}
