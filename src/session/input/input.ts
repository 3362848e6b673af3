import { open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileProblem, UsageError } from '../../protocol/errors.js'
import { nearest } from '../../protocol/nearest.js'
import { writeText } from '../output/writer.js'

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
    throw await unreadableFile(what, file, error)
  }
}

/** Makes the error for a file that cannot be read, with the nearest name in its folder. */
export async function unreadableFile(what: string, file: string, error: unknown): Promise<UsageError> {
  const folder = dirname(file)
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
  const names = isMissing ? await readdir(folder).catch(() => []) : []
  const near = nearest(basename(file), names)
  return new UsageError(`cannot read ${what} ${file}: ${fileProblem(error)}`, [
    near === undefined
      ? `Name a file that you can read; this folder is ${process.cwd()}`
      : `Did you mean ${join(folder, near)}?`,
  ])
}

/**
 * Reads a file as UTF-8 text, or stdin for `-`.
 * @throws UsageError for an input that cannot be read or holds more than `limit` bytes
 */
export async function readFileOrStdin(what: string, file: string, limit = MAX_INPUT): Promise<string> {
  return file === '-' ? (await readStdin(what, limit)).toString('utf8') : readInputFile(what, file, limit)
}

/** Largest input that is read from stdin or from a file, in bytes. */
export const MAX_INPUT = 1024 * 1024

/**
 * Reads all of stdin. A person at a terminal is asked for the input first.
 * @param what the input is, for messages: `the token`
 * @throws UsageError for more than `limit` bytes
 */
export async function readStdin(what: string, limit = MAX_INPUT): Promise<Buffer> {
  if (process.stdin.isTTY) {
    writeText(`Paste ${what} and end it with Ctrl-D on a line of its own:\n`, 'stderr')
  }
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
 * Reads the first line of stdin.
 * @param what the line is, for messages: `the password`
 * @throws UsageError for an empty line
 */
export async function readStdinLine(what: string): Promise<string> {
  const [first = ''] = (await readStdin(what)).toString('utf8').split(/\r?\n/, 1)
  if (first === '') throw new UsageError(`${what} is not on stdin`)
  return first
}

/**
 * Reads a secret from stdin, without the line end that `echo` adds.
 * @throws UsageError for an empty secret
 */
export async function readSecret(): Promise<Buffer> {
  const typed = await readStdin('the secret')
  const end = typed.at(-1) !== 0x0a ? 0 : typed.at(-2) === 0x0d ? 2 : 1
  const secret = typed.subarray(0, typed.length - end)
  if (secret.length === 0) throw new UsageError('--secret-stdin: stdin holds no secret')
  return secret
}

/** The lines that a person types on stdin. */
export interface TypedLines {
  /** Returns the next line without blanks around it; undefined after the last one, or once the signal is aborted. */
  next(): Promise<string | undefined>
  /** Leaves stdin to another program, until the next call of `next`. */
  pause(): void
  close(): void
}

/** Reads stdin line by line, until `close` or until the signal is aborted. */
export function typedLines(signal: AbortSignal): TypedLines {
  const reader = createInterface({ input: process.stdin })
  const early: string[] = []
  let waiting: ((line: string | undefined) => void) | undefined
  let closed = false

  function hand(line: string | undefined): void {
    const receive = waiting
    waiting = undefined
    if (receive) receive(line)
    else if (line !== undefined) early.push(line)
  }
  const close = () => reader.close()
  reader.on('line', line => hand(line.trim()))
  reader.once('close', () => {
    closed = true
    hand(undefined)
  })
  if (signal.aborted) close()
  signal.addEventListener('abort', close, { once: true })
  return {
    next() {
      const line = early.shift()
      if (line !== undefined || closed) return Promise.resolve(line)
      reader.resume()
      return new Promise(resolve => {
        waiting = resolve
      })
    },
    pause() {
      if (!closed) reader.pause()
    },
    close() {
      signal.removeEventListener('abort', close)
      close()
    },
  }
}

/** Longest line that is read, in characters. */
const MAX_LINE = 200

/**
 * Reads stdin line by line until it ends. Characters beyond the 200th of a line are dropped. A terminal is not read, because the
 * system stops a program in the background that reads from one.
 * @returns a function that stops reading
 */
export function watchLines(take: (line: string) => void): () => void {
  const { stdin } = process
  if (stdin.isTTY) return () => {}
  let rest = ''
  const data = (chunk: string): void => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!.slice(-MAX_LINE)
    for (const line of lines) take(line.slice(0, MAX_LINE))
  }
  stdin.setEncoding('utf8').on('data', data)
  // An unreadable stdin has no lines. The program goes on.
  stdin.on('error', () => {})
  return () => {
    stdin.off('data', data).destroy()
  }
}
