import { foreign } from '../../../protocol/safe-output/safe.js'
import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Signs } from '../text/signs.js'
import { bar, sparkline, tableLines } from '../text/text.js'
import { type CountedField, countBy, type EventCount, emptyText, type Timeline } from './events-list.js'

/** Columns of the widest and the narrowest bar, of the gap between two blocks, and of the longest value. */
const WIDEST_BAR = 8
const NARROWEST_BAR = 2
const GAP = 3
const VALUE = 28

/** The value of a count, safe and short enough. */
function valueText(value: string, signs: Signs, most = VALUE): string {
  const shown = foreign(value, signs) || emptyText(signs)
  if (shown.length <= most) return shown
  return `${shown.slice(0, most - signs.ellipsis.length).toWellFormed()}${signs.ellipsis}`
}

/** The most frequent values of a field: texts of equal width, and bars on one scale. */
export interface TopBlock {
  readonly columns: number
  readonly heading: string
  readonly rows: ReadonlyArray<{ readonly name: string; readonly count: string; readonly bar: string }>
}

function blockOf(
  field: CountedField,
  counts: readonly EventCount[],
  barColumns: number,
  signs: Signs,
): TopBlock {
  const heading = field.toUpperCase()
  const names = counts.map(({ values: [value = ''] }) => valueText(value, signs))
  const nameColumns = Math.max(heading.length, ...names.map(({ length }) => length))
  const countColumns = Math.max(0, ...counts.map(({ count }) => String(count).length))
  const most = Math.max(1, ...counts.map(({ count }) => count))
  const columns = nameColumns + 2 + countColumns + 1 + barColumns
  return {
    columns,
    heading: heading.padEnd(columns),
    rows: counts.map(({ count }, i) => ({
      name: names[i]!.padEnd(nameColumns),
      count: String(count).padStart(countColumns),
      bar: bar(count / most, barColumns, { ascii: signs.ascii }).padEnd(barColumns),
    })),
  }
}

const widthOf = (blocks: readonly TopBlock[]): number =>
  blocks.reduce((sum, { columns }) => sum + columns, GAP * (blocks.length - 1))

/** The options of a block. */
export interface TopOptions {
  readonly top: number
  readonly columns: number
  readonly signs: Signs
}

/** The most frequent values of fields as blocks, with the widest bars that let all of them stand in one row. */
export function topBlocks(
  events: readonly ListedEvent[],
  fields: readonly CountedField[],
  { top, columns, signs }: TopOptions,
): TopBlock[] {
  const counted = fields.map(field => [field, countBy(events, [field]).slice(0, top)] as const)
  const blocks = (barColumns: number) =>
    counted.map(([field, counts]) => blockOf(field, counts, barColumns, signs))
  for (let barColumns = WIDEST_BAR; barColumns > NARROWEST_BAR; barColumns--) {
    const made = blocks(barColumns)
    if (widthOf(made) <= columns) return made
  }
  const made = blocks(NARROWEST_BAR)
  return widthOf(made) <= columns ? made : blocks(WIDEST_BAR)
}

/** Blocks in rows, as many side by side as fit. */
export function blockRows(blocks: readonly TopBlock[], columns: number): TopBlock[][] {
  const rows: TopBlock[][] = []
  for (const block of blocks) {
    const last = rows.at(-1)
    if (last !== undefined && widthOf([...last, block]) <= columns) last.push(block)
    else rows.push([block])
  }
  return rows
}

/** The most frequent values of fields, in lines. */
export function topLines(
  events: readonly ListedEvent[],
  fields: readonly CountedField[],
  options: TopOptions,
): string[] {
  const gap = ' '.repeat(GAP)
  return blockRows(topBlocks(events, fields, options), options.columns).flatMap((row, i) => {
    const height = Math.max(...row.map(({ rows }) => rows.length))
    const lines = Array.from({ length: height }, (_, y) =>
      row.map(({ rows, columns }) => {
        const { name = '', count = '', bar: drawn = '' } = rows[y] ?? {}
        return (name && `${name}  ${count} ${drawn}`).padEnd(columns)
      }),
    )
    const drawn = [row.map(({ heading }) => heading), ...lines].map(cells => cells.join(gap).trimEnd())
    return i === 0 ? drawn : ['', ...drawn]
  })
}

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 16)
const day = (ms: number): string => new Date(ms).toISOString().slice(5, 10)

/** A timeline with the times of its ends: `05:30 ▁▂▁▃▂▂▅█▃▂▃▂ 06:30 UTC`. */
export function timelineText({ from, to, counts }: Timeline, signs: Signs): string {
  const name = (at: number): string => (day(from) === day(to) ? clock(at) : `${day(at)} ${clock(at)}`)
  return `${name(from)} ${sparkline(counts, { ascii: signs.ascii })} ${name(to)} UTC`
}

/** Events counted by several fields, as a table. */
export function groupLines(
  fields: readonly CountedField[],
  counts: readonly EventCount[],
  signs: Signs,
): string[] {
  const most = Math.max(1, ...counts.map(({ count }) => count))
  const digits = Math.max('COUNT'.length, ...counts.map(({ count }) => String(count).length))
  return tableLines([
    ['COUNT'.padStart(digits), ...fields.map(field => field.toUpperCase()), 'LOGGED ONLY', ''],
    ...counts.map(({ values, count, loggedOnly }) => [
      String(count).padStart(digits),
      ...values.map(value => valueText(value, signs, 60)),
      loggedOnly === 0 ? emptyText(signs) : loggedOnly === count ? 'all' : String(loggedOnly),
      bar(count / most, 12, { ascii: signs.ascii }),
    ]),
  ])
}
