/** Narrower than this, a column of text is no longer pleasant to read. */
const LEAST = 20

/** How wide a text may be. */
export interface Room {
  /** Width of the terminal; absent without a terminal: nothing is broken. */
  readonly columns?: number | undefined
  /** Columns that a text takes; by default a column a character. */
  readonly width?: (text: string) => number
}

/** `before` and a text that goes on below where it began, broken between words. */
export function hanging(
  before: string,
  text: string,
  { columns, width = ({ length }) => length }: Room,
): string[] {
  const indent = width(before)
  // The last column stays empty: terminals differ in what they do with it.
  const room = (columns ?? Number.POSITIVE_INFINITY) - indent - 1
  if (room < LEAST || width(text) <= room) return [(before + text).trimEnd()]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && width(longer) > room) {
      lines.push(line)
      line = word
    } else line = longer
  }
  lines.push(line)
  return lines.map((each, i) => (i === 0 ? before : ' '.repeat(indent)) + each)
}
