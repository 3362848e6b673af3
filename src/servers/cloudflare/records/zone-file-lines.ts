// The lexical half of zone files (RFC 1035 §5.1): lines of words, each with its position.

/** A mistake in a zone file, with its line and column, which count from 1. */
export class ZoneFileError extends Error {
  override name = 'ZoneFileError'
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message)
  }
}

/** One word or quoted string as it was written, escapes and quotes included. */
export interface FileWord {
  readonly raw: string
  readonly line: number
  readonly column: number
}

/** One entry: a line, or several within parentheses. */
export interface FileLine {
  readonly words: readonly FileWord[]
  /** True when the line begins with a blank: its owner is that of the line before. */
  readonly continued: boolean
  /** The comment at the end of the line, without the semicolon. */
  readonly comment: string
  readonly line: number
}

const token =
  /[ \t\r\f\v]+|\n|;[^\n]*|[()]|"(?:[^"\\\n]|\\.)*"|(?:[^\s;()"\\]|\\.)(?:[^\s;()"\\]|\\.|"(?:[^"\\\n]|\\.)*")*/sy

/** The most words of an entry. No record of DNS has as many fields or strings. */
const MAX_WORDS = 4096

/**
 * Splits a zone file into its entries. Lines without words are left out.
 * @param maxEntries the most entries
 * @throws ZoneFileError
 */
export function zoneFileLines(text: string, maxEntries = Number.POSITIVE_INFINITY): FileLine[] {
  const lines: FileLine[] = []
  let words: FileWord[] = []
  let comment = ''
  let continued = false
  let fresh = true
  let depth = 0
  let line = 1
  let start = 0
  let first = 1
  const finish = () => {
    if (words.length > 0) lines.push({ words, continued, comment, line: first })
    words = []
    comment = ''
    continued = false
    fresh = true
  }
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at
    const found = token.exec(text)?.[0]
    const column = at - start + 1
    if (found === undefined) {
      throw new ZoneFileError(text[at] === '"' ? 'a quote has no end' : 'this is no word', line, column)
    }
    if (found === '\n') {
      if (depth === 0) finish()
      line++
      start = at + 1
    } else if (found.startsWith(';')) comment = found.slice(1).trim()
    else if (found === '(') depth++
    else if (found === ')') {
      if (--depth < 0) throw new ZoneFileError('a ) has no (', line, column)
    } else if (/^[ \t\r\f\v]/.test(found)) {
      if (fresh && depth === 0) continued = true
    } else {
      if (words.length === 0) first = line
      if (words.length >= MAX_WORDS) throw new ZoneFileError('this entry has too many words', line, column)
      if (lines.length >= maxEntries)
        throw new ZoneFileError(`there are more than ${maxEntries} entries`, line, column)
      words.push({ raw: found, line, column })
    }
    if (found !== '\n') fresh = false
  }
  if (depth > 0) throw new ZoneFileError('a ( has no )', line, text.length - start + 1)
  finish()
  return lines
}
