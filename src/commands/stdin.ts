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

/**
 * The secret on stdin, without the one line end that `echo` puts behind it.
 * @throws UsageError where there is none
 */
export async function readSecret(): Promise<Buffer> {
  const typed = await readStdin('the secret')
  const end = typed.at(-1) !== 0x0a ? 0 : typed.at(-2) === 0x0d ? 2 : 1
  const secret = typed.subarray(0, typed.length - end)
  if (secret.length === 0) throw new UsageError('--secret-stdin: stdin holds no secret')
  return secret
}
