import { escapeUnprintable } from '../../protocol/safe-output/json-line.js'
import { safeLines } from '../../protocol/safe-output/safe.js'

/** The streams of this process. */
type StreamName = 'stdout' | 'stderr'

/**
 * Writes finished lines. The only way out of this program beside `writeJson`, `writeExact` and the screens of a terminal:
 * whatever the lines hold, a terminal shows it and obeys none of it.
 */
export function writeText(text: string, to: StreamName = 'stdout', ascii = false): void {
  process[to].write(safeLines(text, ascii))
}

/** Writes finished JSON, with escapes for what a terminal might obey. */
export function writeJson(json: string, to: StreamName = 'stdout'): void {
  process[to].write(escapeUnprintable(json))
}

/**
 * Writes a value that programs take byte by byte, such as a token, a secret or a body. A terminal shows it as text.
 * Resolves when it is written.
 */
export function writeExact(value: string | Uint8Array): Promise<void> {
  const { stdout } = process
  const shown = stdout.isTTY ? safeLines(Buffer.from(value).toString('utf8')) : value
  return new Promise((resolve, reject) => {
    stdout.write(shown, error => (error ? reject(error) : resolve()))
  })
}
