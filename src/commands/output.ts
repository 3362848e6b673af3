import { jsonLine } from '../render/json-line.js'
/** Writes lines to stdout: results. */
export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** How wide the terminal is that results are written to; undefined where they go elsewhere. */
export function terminalColumns(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || 80 : undefined
}

/** Writes one JSON value on a line of stdout. */
export function printJson(value: unknown): void {
  process.stdout.write(`${jsonLine(value)}\n`)
}

/** Writes a line to stderr: narration, warnings. */
export function narrate(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** A word as a POSIX shell reads it back. */
export function shellWord(text: string): string {
  return /^[\w/.:@%+=,~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
