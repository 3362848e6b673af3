import { countBy, timelineOf, USUAL_FIELDS } from '../../render/events/events-summary.js'
import { blockRows, type TopBlock, timelineText, topBlocks } from '../../render/events/events-top.js'
import type { Line } from '../../render/text/spans.js'
import { span } from '../../render/text/spans.js'
import type { PaneContent } from '../screen/panes.js'
import { paneTitle } from '../screen/panes.js'
import type { FrameContext } from './context.js'
import type { Layout } from './layout.js'
import { listed } from './listed.js'
import type { EventsState } from './state.js'

/** Parts of the timeline. */
const PARTS = 12

/** The value under the cursor in the counts; undefined without one. */
export function valueAt(state: EventsState): { readonly field: string; readonly value: string } | undefined {
  const field = USUAL_FIELDS[state.count.field]
  if (field === undefined) return undefined
  const [value] = countBy(listed(state).events, [field])[state.count.row]?.values ?? []
  return value === undefined ? undefined : { field, value }
}

/** How many values the field that the keys are at has. */
export function valueCount(state: EventsState): number {
  const field = USUAL_FIELDS[state.count.field]
  return field === undefined ? 0 : countBy(listed(state).events, [field]).length
}

/** The most frequent values of each field; where not all fields fit, those from the one that the keys are at. */
export function countsPane(state: EventsState, { counts }: Layout, context: FrameContext): PaneContent {
  const { signs, now, since } = context
  const { events } = listed(state)
  const focused = state.pane === 'counts'
  const { columns, rows } = counts
  const options = { top: rows, columns, signs }
  const rowFrom = (field: number, fields: number): TopBlock[] => {
    const blocks = topBlocks(events, USUAL_FIELDS.slice(field, fields), options)
    return fields > field + 1 && blockRows(blocks, columns).length > 1 ? rowFrom(field, fields - 1) : blocks
  }
  const all = rowFrom(0, USUAL_FIELDS.length)
  const from = focused && state.count.field >= all.length ? state.count.field : 0
  const row = from === 0 ? all : rowFrom(from, USUAL_FIELDS.length)
  const cell = (block: TopBlock, x: number, y: number): Line => {
    const { name = '', count = '', bar = '' } = block.rows[y] ?? {}
    const here = focused && from + x === state.count.field && y === state.count.row
    if (name === '') return [span(' '.repeat(block.columns))]
    return [span(name, here ? 'hit' : 'plain'), span(`  ${count} `), span(bar, 'now')]
  }
  const gap = span('   ')
  const side = (cells: readonly Line[]): Line => cells.flatMap((each, i) => (i === 0 ? each : [gap, ...each]))
  const timeline = timelineOf(events, { from: since, to: now }, PARTS)
  return {
    title: paneTitle('1 Counts', focused),
    aside: [span(timelineText(timeline, signs), 'dim')],
    lines: [
      side(row.map(({ heading }) => [span(heading, 'dim')])),
      ...Array.from({ length: rows }, (_, y) => side(row.map((block, x) => cell(block, x, y)))),
    ],
  }
}
