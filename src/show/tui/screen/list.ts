import { withoutEnd } from '../../../protocol/values.js'
import { type Line, span } from '../../render/text/spans.js'
import type { PaneContent } from './panes.js'

/** The value, or the limit that it is beyond. */
export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}

/** The first line to show so that lines `from` to `to` (inclusive) are seen, and little moves. */
export function windowStart(total: number, rows: number, from: number, to: number): number {
  const last = Math.max(0, total - rows)
  // One line more, where there is one, so that what comes next can be seen.
  const wanted = Math.min(to + 2, total) - rows
  return Math.max(0, Math.min(last, Math.max(0, Math.min(wanted, from))))
}

/** Which lines of how many are shown, when not all are: `3-9/40`. */
export function positionText(first: number, rows: number, total: number): string {
  return total <= rows ? '' : `${first + 1}-${Math.min(total, first + rows)}/${total}`
}

/** The lines of a pane from `scroll` on, never less than fit, and their position for its frame. */
export function visible(lines: readonly Line[], scroll: number, rows: number): Omit<PaneContent, 'title'> {
  const first = Math.max(0, Math.min(scroll, lines.length - rows))
  const position = positionText(first, rows, lines.length)
  return { lines: lines.slice(first, first + rows), aside: [span(position, 'dim')] }
}

/** The rows of a list around the selected entry, and the number of all rows. A row is an entry, by its index, or a heading. */
export function groupedRows(
  headings: ReadonlyArray<string | undefined>,
  at: number,
  rows: number,
): { readonly shown: ReadonlyArray<number | string>; readonly start: number; readonly total: number } {
  const all = headings.flatMap((heading, i): (number | string)[] =>
    heading === undefined || heading === headings[i - 1] ? [i] : [heading, i],
  )
  const row = all.indexOf(at)
  // The heading of an entry is seen with it.
  const top = rows > 1 && typeof all[row - 1] === 'string' ? row - 1 : row
  const start = windowStart(all.length, rows, Math.max(0, top), row)
  return { shown: all.slice(start, start + rows), start, total: all.length }
}

/** The entries of a list that grows, by their numbers, in the order of the screen. */
export interface List {
  readonly numbers: readonly number[]
  /** The end at which the keys stay, whatever comes, until they move. */
  readonly rest: 'first' | 'last'
}

/** The position of the keys in such a list. */
export interface Cursor {
  /** Number of the entry; absent: the one at the end where the keys rest. */
  readonly at?: number
  /** Lines above it on the screen, as far as there is room, so that new entries do not move the selected one. */
  readonly row: number
}

/** Keys that have not moved. */
export const RESTING: Cursor = { row: 0 }

/** Index of the entry that the keys are at. One that is gone or filtered out gives way to its nearest. */
export function cursorIndex({ numbers, rest }: List, { at }: Cursor): number {
  const end = Math.max(0, numbers.length - 1)
  if (at === undefined) return rest === 'last' ? end : 0
  const rising = numbers[0]! <= numbers[end]!
  const index = numbers.findIndex(number => (rising ? number >= at : number <= at))
  return index < 0 ? end : index
}

/** Number of the entry that the keys are at; undefined in an empty list. */
export const selectedNumber = (list: List, cursor: Cursor): number | undefined =>
  list.numbers[cursorIndex(list, cursor)]

/** The row of a cursor; keys that rest at the last entry have all others above them. */
const rowOf = ({ at, row }: Cursor, { rest }: List, last: number): number =>
  at !== undefined ? row : rest === 'last' ? last : 0

/** The cursor `by` entries further. `rows`: entries that are seen at once. */
export function movedCursor(list: List, cursor: Cursor, by: number, rows: number): Cursor {
  const { numbers, rest } = list
  if (numbers.length === 0) return cursor
  const from = cursorIndex(list, cursor)
  const to = clamp(from + by, 0, numbers.length - 1)
  if (rest === 'first' && to === 0) return RESTING
  // Staying on the newest is following still.
  if (cursor.at === undefined && to === from) return cursor
  const row = clamp(rowOf(cursor, list, rows - 1) + to - from, 0, Math.max(0, rows - 1))
  return { at: numbers[to]!, row }
}

/** The cursor that stays at its entry, whatever comes. */
export function pinned(list: List, cursor: Cursor): Cursor {
  const at = selectedNumber(list, cursor)
  return at === undefined ? cursor : { at, row: rowOf(cursor, list, 1_000) }
}

/**
 * The indexes of the entries to show, `to` exclusive, so that the one of the cursor is seen at its row, as far as there
 * are entries.
 * @param rows lines of the list
 * @param height lines of an entry, or of the one at an index
 */
export function windowAround(
  list: List,
  cursor: Cursor,
  rows: number,
  height: number | ((index: number) => number),
): { readonly from: number; readonly to: number } {
  const count = list.numbers.length
  if (count === 0) return { from: 0, to: 0 }
  const heightOf = (index: number): number => (typeof height === 'number' ? height : height(index))
  const index = cursorIndex(list, cursor)
  let from = index
  let to = index + 1
  let used = heightOf(index)
  const row = rowOf(cursor, list, rows)
  const above = Math.min(typeof height === 'number' ? row * height : row, rows - used)
  let over = 0
  while (from > 0 && over + heightOf(from - 1) <= above) over += heightOf(--from)
  used += over
  while (to < count && used + heightOf(to) <= rows) used += heightOf(to++)
  while (from > 0 && used + heightOf(from - 1) <= rows) used += heightOf(--from)
  return { from, to }
}

/** The choice that is selected in a list to choose from, and what narrows the list. */
export interface Picking {
  /** Index among all choices; absent: the first that is listed. */
  readonly at?: number | undefined
  readonly filter?: string
  /** The filter as it was, while another one is typed. */
  readonly typing?: { readonly before: string } | undefined
  /** Lists too what cannot be chosen. */
  readonly all?: boolean
  /** Name of the choice that was made last: listed first. */
  readonly last?: string | undefined
}

/** A choice as such a list needs it. */
export interface Pickable {
  readonly name: string
  /** All that it can be found by. */
  readonly text: string
  /** Why it cannot be chosen. */
  readonly off?: string | undefined
}

/** The choices that are listed: their indexes in order, the place of the selected one, and how many are hidden. */
export interface Picked {
  readonly listed: readonly number[]
  /** Index in `listed`; 0 in an empty list. */
  readonly at: number
  /** Choices that fit the filter and cannot be made. */
  readonly hidden: number
}

/** Stands in the place of a list in which nothing fits the filter. */
export const NOTHING_FITS = 'Nothing has these words. esc clears the filter.'

/** Lists the choices that fit: the last one first, and those that cannot be made only where `all` or nothing else is there. */
export function picked(choices: readonly Pickable[], { at, filter = '', all, last }: Picking): Picked {
  const fits = filterOf(filter, NO_FIELDS)
  const fitting = choices.flatMap(({ text }, i) => (fits({ fields: {}, text }) ? [i] : []))
  const open = fitting.filter(i => choices[i]!.off === undefined)
  const shown = all || open.length === 0 ? fitting : open
  const former = shown.filter(i => choices[i]!.name === last)
  const listed = [...former, ...shown.filter(i => !former.includes(i))]
  const place = at === undefined ? 0 : Math.max(0, listed.indexOf(at))
  return { listed, at: place, hidden: fitting.length - shown.length }
}

/** The values that an item can be filtered by: its fields by name, and all text it shows. */
export interface Filterable {
  readonly fields: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/** A term of a filter: `status:400`, `/token`, `!client:demo`. */
type Test = (item: Filterable) => boolean

const NO_FIELDS: ReadonlySet<string> = new Set()

/** A status may be named by its beginning: `status:4`, `status:4xx`. */
function fieldFits(name: string, wanted: string, value: string | undefined): boolean {
  if (value === undefined) return false
  if (name === 'status') return value.startsWith(withoutEnd(wanted, 'x'))
  return value.toLowerCase().includes(wanted)
}

function termOf(term: string, names: ReadonlySet<string>): Test {
  const not = term.startsWith('!') && term.length > 1
  const text = (not ? term.slice(1) : term).toLowerCase()
  const mark = text.indexOf(':')
  const name = text.slice(0, Math.max(0, mark))
  const wanted = text.slice(mark + 1)
  const fits: Test = names.has(name)
    ? ({ fields }) => fieldFits(name, wanted, fields[name])
    : item => item.text.toLowerCase().includes(text)
  return not ? item => !fits(item) : fits
}

/**
 * A filter as people type it: words with spaces between them, all of which have to fit. `name:value` asks for a field
 * where there is one of that name; any other word for text; `!` before a word for its opposite.
 */
export function filterOf(filter: string, names: ReadonlySet<string>): Test {
  const terms = filter.split(' ').filter(each => each !== '')
  const tests = terms.map(each => termOf(each, names))
  return item => tests.every(test => test(item))
}
