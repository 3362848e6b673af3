import { createReadStream, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { ReadStream } from 'node:tty'
import { UsageError } from '../errors.js'
import { holdsEvents } from './event-feed.js'

/** Bytes of a file that are read to learn which kind it is. */
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

/** The beginning of stdin, put back so that it is read again. */
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
 * Returns true when a file, or stdin for `-`, holds the events of a lab and not the steps of a flow.
 * @throws UsageError where it cannot be read
 */
export async function isEventFile(file: string): Promise<boolean> {
  return holdsEvents(file === '-' ? await beginningOfStdin() : await beginningOfFile(file))
}

/** The file, or stdin for `-`, in pieces of text. */
export function openSource(file: string): Readable {
  const source = file === '-' ? process.stdin : createReadStream(file)
  return source.setEncoding('utf8')
}

/** The keyboard: stdin, or where that is a pipe the terminal that the program runs in; undefined where neither exists. */
export function openKeyboard(): NodeJS.ReadStream | undefined {
  if (process.stdin.isTTY) return process.stdin
  try {
    return new ReadStream(openSync(process.platform === 'win32' ? 'CONIN$' : '/dev/tty', 'r'))
  } catch {
    return undefined
  }
}
