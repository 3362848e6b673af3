import { UsageError } from '../errors.js'
import { narrate } from './output.js'

/** The most that is read from stdin or from a file, in bytes. */
export const MAX_INPUT = 1024 * 1024

/**
 * All of stdin.
 * @param what is read, for messages: `the token`
 * @throws UsageError for more than `limit` bytes
 */
export async function readStdin(what: string, limit = MAX_INPUT): Promise<Buffer> {
  if (process.stdin.isTTY) narrate(`Paste ${what} and end it with Ctrl-D on a line of its own:`)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limit) throw new UsageError(`${what} on stdin is larger than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}
