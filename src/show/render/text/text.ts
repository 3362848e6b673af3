import stringWidth from 'string-width'

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/**
 * A bar of at most `columns` for `fraction` (0 to 1), drawn in eighths of a column. What is more than nothing is never
 * less than one eighth, so that a small value beside a large one can be seen.
 */
export function bar(fraction: number, columns: number, options: { readonly ascii?: boolean } = {}): string {
  if (!(fraction > 0) || columns < 1) return ''
  const units = options.ascii ? 1 : 8
  const filled = Math.max(1, Math.round(Math.min(1, fraction) * columns * units))
  if (options.ascii) return '#'.repeat(filled)
  return '█'.repeat(Math.floor(filled / 8)) + eighths[filled % 8]!
}

const heights = '▁▂▃▄▅▆▇█'
const asciiHeights = '.:-=+*#@'

/** Numbers as a row of bars, one column each; nothing is a space. */
export function sparkline(counts: readonly number[], options: { readonly ascii?: boolean } = {}): string {
  const most = Math.max(0, ...counts)
  const signs = options.ascii ? asciiHeights : heights
  return counts
    .map(count => (count <= 0 ? ' ' : signs[Math.max(0, Math.ceil((count / most) * signs.length) - 1)]!))
    .join('')
}

/** Columns that `text` takes in a terminal. */
export function width(text: string): number {
  return narrow.test(text) ? text.length : stringWidth(text)
}

/** ASCII, box drawing, blocks and our signs, one column each: frames are made of them and measured all the time. */
const narrow = /^[\x20-\x7e\u2500-\u259f§·•…←→⇄►◄●○✓✗]*$/

let segmenter: Intl.Segmenter | undefined

/**
 * The characters that a reader sees. The segmenter is made at its first use, which takes as long as starting Node.
 */
export function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** How text is written for people. */
export interface TextView {
  readonly showSecrets: boolean
  readonly ascii: boolean
  /** Columns of the terminal; absent without one. */
  readonly columns?: number | undefined
}

/** A stretch of text long enough to fill any line; only so much of it is measured. */
const MEASURED = 4096

/** The longest beginning of `text` that takes at most `columns`. */
function takeStart(text: string, columns: number): string {
  const head = text.slice(0, MEASURED)
  if (narrow.test(head)) return head.slice(0, Math.max(0, columns))
  let taken = 0
  let end = 0
  for (const { segment } of graphemes(head)) {
    taken += width(segment)
    if (taken > columns) break
    end += segment.length
  }
  return text.slice(0, end).toWellFormed()
}

/** The longest end of `text` that takes at most `columns`. */
function takeEnd(text: string, columns: number): string {
  const tail = text.slice(-MEASURED)
  if (narrow.test(tail)) return columns > 0 ? tail.slice(-columns) : ''
  const segments = [...graphemes(tail)]
  let taken = 0
  let start = tail.length
  for (const { segment, index } of segments.reverse()) {
    taken += width(segment)
    if (taken > columns) break
    start = index
  }
  return tail.slice(start).toWellFormed()
}

function fits(text: string, columns: number): boolean {
  return text.length <= MEASURED && width(text) <= columns
}

/** Cuts prose at its end to at most `columns`. */
export function cutEnd(text: string, columns: number, ellipsis = '…'): string {
  if (fits(text, columns)) return text
  const room = columns - width(ellipsis)
  if (room < 1) return takeStart(text, Math.max(0, columns))
  const start = takeStart(text, room)
  // Text that was cut in the middle before may end in an ellipsis now; one is enough.
  return start.endsWith(ellipsis) ? start : start + ellipsis
}

/** Cuts a token, URL or code in the middle to at most `columns`: `k3V9…Qm1`. */
export function cutMiddle(text: string, columns: number, ellipsis = '…'): string {
  if (fits(text, columns)) return text
  const room = columns - width(ellipsis)
  if (room < 2) return cutEnd(text, columns, ellipsis)
  const head = takeStart(text, Math.ceil(room / 2))
  return head + ellipsis + takeEnd(text, room - width(head))
}

/** A code or token as four characters, an ellipsis and three: `k3V9…Qm1`. Shorter ones stay whole. */
export function shorten(text: string, ellipsis = '…'): string {
  return cutMiddle(text, 7 + width(ellipsis), ellipsis)
}

/** Fills `text` up to `columns` with spaces; longer text stays as it is. */
export function pad(text: string, columns: number, align: 'left' | 'right' | 'centre' = 'left'): string {
  const missing = columns - width(text)
  if (missing <= 0) return text
  const before = align === 'left' ? 0 : align === 'right' ? missing : Math.floor(missing / 2)
  return ' '.repeat(before) + text + ' '.repeat(missing - before)
}

/** Exactly `columns` wide: cut at the end or filled with spaces. */
export function fill(text: string, columns: number, ellipsis = '…'): string {
  return pad(cutEnd(text, columns, ellipsis), columns)
}

/** Breaks one paragraph between words into lines of at most `columns`; longer words are broken. */
export function wrap(text: string, columns: number): string[] {
  const room = Math.max(1, columns)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (fits(joined, room)) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line.trimEnd())
    let rest = word
    while (!fits(rest, room)) {
      // A character with marks can be wider than the line; its parts are not.
      const piece = takeStart(rest, room) || String.fromCodePoint(rest.codePointAt(0)!)
      lines.push(piece)
      rest = rest.slice(piece.length)
    }
    line = rest
  }
  if (line !== '' || lines.length === 0) lines.push(line)
  return lines
}

/** A word of a shell, with the quoted texts in it. */
const SHELL_WORD = /(?:[^\s'"]|'[^']*'|"(?:[^"\\]|\\.)*"|['"])+/g

/** A command broken between its words, so that it can be copied into a shell. A longer word goes on below. The mark of a line that goes on takes two more columns. */
export function commandLines(text: string, columns: number): string[] {
  const lines: string[] = []
  let present = ''
  for (const word of text.match(SHELL_WORD) ?? []) {
    const joined = present === '' ? word : `${present} ${word}`
    if (width(joined) <= columns) {
      present = joined
      continue
    }
    if (present !== '') lines.push(`${present} \\`)
    const parts = wrap(word, columns)
    lines.push(...parts.slice(0, -1))
    present = parts.at(-1) ?? ''
  }
  return [...lines, present]
}

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
      lines.push(line.trimEnd())
      line = word
    } else line = longer
  }
  lines.push(line)
  return lines.map((each, i) => (i === 0 ? before : ' '.repeat(indent)) + each)
}

/**
 * Rows in aligned columns; the last column is not padded, and goes on below itself. Texts are safe already.
 * @param room.widest a longer cell does not move the column behind it
 */
export function tableLines(
  rows: ReadonlyArray<readonly string[]>,
  {
    columns,
    width = ({ length }) => length,
    indent = '',
    widest = Number.POSITIVE_INFINITY,
  }: Room & { readonly indent?: string; readonly widest?: number } = {},
): string[] {
  const last = Math.max(0, ...rows.map(row => row.length)) - 1
  const widths = Array.from({ length: last }, (_, i) =>
    Math.max(0, ...rows.map(row => width(row[i] ?? '')).filter(each => each <= widest)),
  )
  return rows.flatMap(row => {
    const before = row
      .slice(0, last)
      .map((cell, i) => `${cell}${' '.repeat(Math.max(0, widths[i]! - width(cell)))}  `)
    return hanging(indent + before.join(''), row[last] ?? '', { columns, width })
  })
}
