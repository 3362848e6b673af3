import { inAscii } from '../../protocol/safe-output/safe.js'
import { jsonLine } from '../../show/render/text/json-line.js'
import { asciiWanted } from './output-mode.js'

/** Text for a person, in the characters of their terminal. */
export const worded = (text: string): string => (asciiWanted() ? inAscii(text) : text)

/** Writes lines to stdout: results for people. */
export function print(...lines: readonly string[]): void {
  printData(worded(lines.join('\n')))
}

/** Writes lines to stdout as they are: results that programs read. */
export function printData(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** How wide the terminal is that results are written to; undefined where they go elsewhere. */
export function terminalColumns(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || 80 : undefined
}

/** Writes one JSON value on a line of stdout. */
export function printJson(value: unknown): void {
  printData(jsonLine(value))
}

/** Writes a line to stderr: narration, warnings. */
export function narrate(line: string): void {
  process.stderr.write(`${worded(line)}\n`)
}
