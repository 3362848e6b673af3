import { safeLines } from '../../protocol/safe-output/safe.js'
import { writeJson, writeText } from '../../session/output/writer.js'
import { asciiWanted } from './output-mode.js'

/** Text for a person, in the characters of their terminal. */
export const worded = (text: string): string => safeLines(text, asciiWanted())

/** Writes lines to stdout: results for people. */
export function print(...lines: readonly string[]): void {
  writeText(`${lines.join('\n')}\n`, 'stdout', asciiWanted())
}

/** Writes lines to stdout, in any characters: results that programs read. */
export function printData(...lines: readonly string[]): void {
  writeText(`${lines.join('\n')}\n`)
}

/** Writes lines of finished JSON to stdout. */
export function printJsonText(lines: string): void {
  writeJson(`${lines}\n`)
}

/** How wide the terminal is that results, or messages, are written to; undefined where they go elsewhere. */
export function terminalColumns(of: 'stdout' | 'stderr' = 'stdout'): number | undefined {
  const stream = process[of]
  return stream.isTTY ? stream.columns || 80 : undefined
}

/** Writes one JSON value to stdout: on a line, or laid out with `indent` spaces. */
export function printJson(value: unknown, indent?: number): void {
  printJsonText(JSON.stringify(value, undefined, indent))
}

/** Writes a line to stderr: narration, warnings. */
export function narrate(line: string): void {
  prompt(`${line}\n`)
}

/** Writes a prompt to stderr, without a line end. */
export function prompt(text: string): void {
  writeText(text, 'stderr', asciiWanted())
}

/** Writes a page of help, which has its line ends, as wide as the terminal is. */
export async function writeHelp(text: string, to: 'stdout' | 'stderr' = 'stdout'): Promise<void> {
  const columns = terminalColumns(to)
  const shown =
    columns === undefined
      ? text
      : (await import('../../show/render/text/help-text.js')).helpText(text, columns)
  writeText(shown, to, asciiWanted())
}

/** Writes one JSON value on a line of stderr. */
export function narrateJson(value: unknown): void {
  writeJson(`${JSON.stringify(value)}\n`, 'stderr')
}
