import { makeSafe } from '../../protocol/safe-output/safe.js'
import { hanging, width } from '../../show/render/text/text.js'

/** Most characters of an error, with its next moves. */
const MOST = 400

/** Most characters of its first line. */
const MOST_FIRST = 280

/** Returns a text without its middle where it is too long: the beginning and the end of a message say most. */
function shortened(text: string, most: number): string {
  const half = Math.floor((most - 1) / 2)
  return text.length <= most
    ? text
    : `${text.slice(0, half).toWellFormed()}…${text.slice(-half).toWellFormed()}`
}

/** The lines of an error: what happened, and as many of the next moves as there is room for. */
function unbroken(message: string, hints: readonly string[], label: string): string[] {
  const lines = [shortened(`${label}: ${makeSafe(message)}`, MOST_FIRST)]
  let left = MOST - lines[0]!.length
  for (const hint of hints) {
    const line = `  ${makeSafe(hint)}`
    // The first one may be a line of a file; a command that is cut would not run.
    const next = lines.length === 1 && hints[1] !== undefined ? makeSafe(hints[1]).length + 3 : 0
    const shown = lines.length === 1 ? shortened(line, Math.max(left - 1 - next, 60)) : line
    if (shown.length + 1 > left) continue
    lines.push(shown)
    left -= shown.length + 1
  }
  return lines
}

/** A line with a command that a shell runs, behind its name. */
const COMMAND = /^(.*?:? {2,})((?:oauth-lab|curl|eval|export) .*)$/

/** Breaks a line of an error between words, where the terminal ends. A broken command can still be copied into a shell. */
function broken(line: string, columns: number | undefined): string[] {
  const command = COMMAND.exec(line)
  const isCommand = command !== null
  const [, before = '', text = ''] = command ?? /^(oauth-lab: | *)(.*)$/.exec(line) ?? []
  // The mark of a line that goes on takes two columns.
  const room = columns === undefined ? undefined : columns - (isCommand ? 2 : 0)
  return hanging(before, text, { columns: room, width }).map((part, i, { length }) =>
    isCommand && i < length - 1 ? `${part} \\` : part,
  )
}

/** How an error is laid out. */
interface ErrorLayout {
  /** The speaker; default: this program. */
  readonly label?: string | undefined
  /** Columns of the terminal; undefined elsewhere: no line is broken. */
  readonly columns?: number | undefined
}

/** The lines of an error as a terminal shows them. */
export function errorLines(
  message: string,
  hints: readonly string[] = [],
  { label = 'oauth-lab', columns }: ErrorLayout = {},
): string[] {
  return unbroken(message, hints, label).flatMap(line => broken(line, columns))
}
