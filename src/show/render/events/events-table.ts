import { foreign } from '../../../protocol/safe-output/safe.js'
import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Signs } from '../text/signs.js'
import { emptyText, LOGGED_MARK } from './events-words.js'

/** A column of the table of events. */
interface Column {
  readonly heading: string
  readonly cell: (event: ListedEvent) => string
  /** Columns to keep for it when more rows may follow. */
  readonly usual: number
}

/** Options of the table. */
export interface EventTable {
  readonly signs: Signs
  /** Fields with the same value in all rows. */
  readonly without: ReadonlySet<string>
  /** True when times need their date. */
  readonly dates: boolean
  /** Columns of the terminal; left out, nothing is cut. */
  readonly columns?: number | undefined
}

const GAP = '  '

/** Longer values push what comes after them to the right, in their row alone. */
const WIDEST = 40

function columnsOf({ without, dates }: EventTable): Column[] {
  const all: readonly (Column | undefined)[] = [
    {
      heading: 'TIME (UTC)',
      cell: ({ occurred_at: at }) => (dates ? at.slice(0, 19).replace('T', ' ') : at.slice(11, 19)),
      usual: dates ? 19 : 10,
    },
    {
      heading: 'ACTION',
      cell: ({ action, logged_only }) => `${action}${logged_only ? LOGGED_MARK : ''}`,
      usual: 11,
    },
    without.has('source') ? undefined : { heading: 'SOURCE', cell: ({ source }) => source, usual: 13 },
    without.has('ip') ? undefined : { heading: 'IP', cell: ({ ip }) => ip, usual: 15 },
    without.has('country') ? undefined : { heading: 'CC', cell: ({ country }) => country, usual: 2 },
    { heading: 'COLO', cell: ({ colo }) => colo, usual: 4 },
    without.has('host') ? undefined : { heading: 'HOST', cell: ({ host }) => host, usual: 17 },
    { heading: 'URI', cell: ({ uri }) => uri, usual: 32 },
    { heading: 'UA', cell: ({ ua }) => ua, usual: 0 },
  ]
  return all.filter(each => each !== undefined)
}

function cut(text: string, columns: number | undefined, { ellipsis }: Signs): string {
  if (columns === undefined || text.length <= columns) return text
  return `${text.slice(0, Math.max(0, columns - ellipsis.length)).toWellFormed()}${ellipsis}`
}

/** Makes the lines of a table. Rows that come later keep the widths of the first ones. */
export function eventTable(
  table: EventTable,
  first: readonly ListedEvent[],
  options: { readonly moreToCome: boolean },
): { readonly heading: string; readonly rows: (events: readonly ListedEvent[]) => string[] } {
  const { signs } = table
  const columns = columnsOf(table)
  const text = (column: Column, event: ListedEvent): string =>
    foreign(column.cell(event), signs) || emptyText(signs)
  const widths = columns.map(column => {
    const lengths = first.map(event => text(column, event).length)
    const least = options.moreToCome ? column.usual : 0
    return Math.min(WIDEST, Math.max(column.heading.length, least, ...lengths))
  })
  const lineOf = (cells: readonly string[]): string =>
    cut(
      cells
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join(GAP)
        .trimEnd(),
      table.columns,
      signs,
    )
  return {
    heading: lineOf(columns.map(({ heading }) => heading)),
    rows: events => events.map(event => lineOf(columns.map(column => text(column, event)))),
  }
}
