import type { ListedEvent } from '../cloudflare/client/events/event.js'
import { bar, sparkline } from './bars.js'
import { type CountedField, countBy, type EventCount, type Timeline } from './events-summary.js'
import { emptyText } from './events-words.js'
import { foreign } from './safe.js'
import type { Signs } from './signs.js'

/** Columns of a bar, of the gap between two blocks, and of the longest value. */
const BAR = 6
const GAP = 3
const VALUE = 28

/** A block of lines, all of them `columns` wide. */
export interface Block {
  readonly columns: number
  readonly lines: readonly string[]
}

/** The value of a count, safe and short enough. */
export function valueText(value: string, signs: Signs, most = VALUE): string {
  const shown = foreign(value, signs) || emptyText(signs)
  if (shown.length <= most) return shown
  return `${shown.slice(0, most - signs.ellipsis.length).toWellFormed()}${signs.ellipsis}`
}

/** The most frequent values of a field, each with its count and a bar. Bars of a block have one scale. */
export function topBlock(field: CountedField, counts: readonly EventCount[], signs: Signs): Block {
  const heading = field.toUpperCase()
  const rows = counts.map(({ values: [value = ''], count }) => ({ name: valueText(value, signs), count }))
  const names = Math.max(heading.length, ...rows.map(({ name }) => name.length))
  const numbers = Math.max(0, ...rows.map(({ count }) => String(count).length))
  const most = Math.max(1, ...rows.map(({ count }) => count))
  const lines = rows.map(({ name, count }) => {
    const drawn = bar(count / most, BAR, { ascii: signs.ascii })
    return `${name.padEnd(names)}  ${String(count).padStart(numbers)} ${drawn.padEnd(BAR)}`
  })
  const columns = names + 2 + numbers + 1 + BAR
  return { columns, lines: [heading.padEnd(columns), ...lines] }
}

/** Blocks side by side, as many as fit; the others below. */
export function beside(blocks: readonly Block[], columns: number): string[] {
  const rows: Block[][] = []
  let taken = Number.POSITIVE_INFINITY
  for (const block of blocks) {
    if (taken + GAP + block.columns > columns) {
      rows.push([])
      taken = -GAP
    }
    rows.at(-1)!.push(block)
    taken += GAP + block.columns
  }
  return rows.flatMap((row, i) => {
    const height = Math.max(...row.map(({ lines }) => lines.length))
    const lines = Array.from({ length: height }, (_, y) =>
      row
        .map(block => block.lines[y] ?? ' '.repeat(block.columns))
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
    return i === 0 ? lines : ['', ...lines]
  })
}

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 16)
const day = (ms: number): string => new Date(ms).toISOString().slice(5, 10)

/** A timeline with the times of its ends: `05:30 ▁▂▁▃▂▂▅█▃▂▃▂ 06:30 UTC`. */
export function timelineText({ from, to, counts }: Timeline, signs: Signs): string {
  const name = (at: number): string => (day(from) === day(to) ? clock(at) : `${day(at)} ${clock(at)}`)
  return `${name(from)} ${sparkline(counts, { ascii: signs.ascii })} ${name(to)} UTC`
}

/** The most frequent values of fields as blocks. */
export function topLines(
  events: readonly ListedEvent[],
  fields: readonly CountedField[],
  { top, columns, signs }: { readonly top: number; readonly columns: number; readonly signs: Signs },
): string[] {
  const blocks = fields.map(field => topBlock(field, countBy(events, [field]).slice(0, top), signs))
  return beside(blocks, columns)
}

/** Events counted by several fields, as a table. */
export function groupLines(
  fields: readonly CountedField[],
  counts: readonly EventCount[],
  signs: Signs,
): string[] {
  const most = Math.max(1, ...counts.map(({ count }) => count))
  const rows = [
    ['COUNT', ...fields.map(field => field.toUpperCase()), 'LOGGED ONLY'],
    ...counts.map(({ values, count, loggedOnly }) => [
      String(count),
      ...values.map(value => valueText(value, signs, 60)),
      loggedOnly === 0 ? emptyText(signs) : loggedOnly === count ? 'all' : String(loggedOnly),
    ]),
  ]
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map(row => row[i]!.length)))
  return rows.map((row, y) => {
    const cells = row.map((cell, i) => (i === 0 ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
    const drawn = y === 0 ? '' : bar(counts[y - 1]!.count / most, 2 * BAR, { ascii: signs.ascii })
    return `${cells.join('  ')}  ${drawn}`.trimEnd()
  })
}
