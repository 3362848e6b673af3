import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Attachment } from '../../../servers/cloudflare/client/webhook/post.js'
import {
  countBy,
  eventsText,
  loggedOnlyCount,
  spanText,
  timelineOf,
  USUAL_FIELDS,
} from '../../render/events/events-list.js'
import { blockRows, type TopBlock, timelineText, topBlocks } from '../../render/events/events-top.js'
import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, span, spread } from '../../render/text/spans.js'
import { cutMiddle } from '../../render/text/text.js'
import { framed } from '../screen/frame.js'
import { cursorIndex, visible, windowAround } from '../screen/list.js'
import { beside, boxed, type PaneContent, paneTitle, ruled, tabTitle } from '../screen/panes.js'
import { type Arrangement, arrangementOf, frameHeight, type Size } from '../screen/size.js'
import { attachmentLines, denseJsonLines, eventHeading, eventRow, wholeEvent } from './details.js'
import { type EventsState, type LowerPane, listed, selected } from './state.js'

/** The source of the events, for people. */
export interface EventsPlace {
  readonly zone: string
  /** Host and port of the service: `localhost:8446`. */
  readonly host: string
  /** The filters beside the time, as typed; empty for everything. */
  readonly asked: string
}

/** The values that a frame shows besides the state. */
export interface FrameContext {
  readonly place: EventsPlace
  readonly signs: Signs
  /** Milliseconds since the epoch, by the clock of the service. */
  readonly now: number
  /** From when on there are events, milliseconds since the epoch. */
  readonly since: number
  /** An event as it would be posted to a chat. */
  readonly preview: (event: ListedEvent) => Attachment
}

/** The positions of everything. Columns and rows are those of contents, frames and headings not counted. */
export interface Layout {
  readonly arrangement: Arrangement
  readonly columns: number
  /** Rows of values, below their headings. */
  readonly counts: { readonly columns: number; readonly rows: number }
  readonly list: { readonly columns: number; readonly rows: number }
  readonly lower: { readonly columns: number; readonly rows: number }
  /** An open event, in place of all panes. */
  readonly single: { readonly columns: number; readonly rows: number }
}

/** Lines that are no contents: header, hints, frames, headings of the counts and of the list. */
const framing = { wide: 10, normal: 7, small: 7, tooSmall: 7 } as const

/** Values of each field. */
const values = { wide: 5, normal: 4, small: 3, tooSmall: 3 } as const

/** The part of the room below the counts that the lower panes get. */
const LOWER = 0.45

/** Lays the screen out. */
export function layOut(size: Size): Layout {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const height = frameHeight(size)
  const counts = values[arrangement]
  const room = Math.max(4, height - framing[arrangement] - counts)
  const lower = Math.max(2, Math.round(room * LOWER))
  const wide = arrangement === 'wide'
  const inner = columns - (wide ? 4 : 2)
  return {
    arrangement,
    columns,
    counts: { columns: inner, rows: counts },
    list: { columns: inner, rows: Math.max(2, room - lower) },
    lower: { columns: wide ? Math.floor(columns / 2) - 4 : inner, rows: lower },
    single: { columns: inner, rows: Math.max(1, height - (wide ? 4 : 3)) },
  }
}

/** The first line: what is watched, where it is, how much there is. */
function header(state: EventsState, { columns, arrangement }: Layout, context: FrameContext): Line {
  const { place, signs } = context
  const small = arrangement === 'small'
  const gap = arrangement === 'wide' ? '   ' : '  '
  const logged = loggedOnlyCount(state.events)
  const counts = `${eventsText(state.events.length)}${logged > 0 && !small ? ` ${signs.dot} ${logged} logged only*` : ''}`
  const left: Line = [
    span(small ? ' ' : ' oauth-lab  ', 'dim'),
    span('cf events', 'title'),
    span(`${gap}${foreign(place.zone, signs)}`, 'name'),
    span(small ? '' : `${gap}${foreign(cutMiddle(place.host, 30, signs.ellipsis), signs)}`, 'dim'),
    span(place.asked === '' || small ? '' : `${gap}${foreign(place.asked, signs)}`, 'dim'),
  ]
  return spread(left, [span(`${counts} `)], columns, signs)
}

/** The list, oldest first. */
function listPane(
  state: EventsState,
  { list: room, arrangement }: Layout,
  context: FrameContext,
): PaneContent {
  const { signs, now, since } = context
  const list = listed(state)
  const index = cursorIndex(list, state.cursor)
  const following = state.cursor.at === undefined
  const { from, to } = windowAround(list, state.cursor, room.rows, 1)
  const focused = state.pane === 'events'
  const rows = list.events.slice(from, to).map((event, i): Line => {
    const here = from + i === index
    return [
      span(here ? signs.arrowRight : ' ', focused ? 'now' : 'dim'),
      ...eventRow(event, arrangement, room.columns - 1, signs),
    ]
  })
  const count = state.filter === '' ? [] : [`${list.events.length} of ${state.events.length}`]
  const aside = [
    ...(following && !state.ended ? ['following'] : []),
    ...count,
    ...(state.filter === '' ? [] : [`filter ${foreign(state.filter, signs)}`]),
  ].join(` ${signs.dot} `)
  const none =
    state.events.length === 0
      ? `No events in the last ${spanText(now - since)} yet.`
      : 'None fits the filter.'
  return {
    title: paneTitle('2 Events', focused),
    aside: [span(aside, 'dim')],
    lines: [
      [span(' '), ...eventHeading(arrangement, room.columns - 1)],
      ...(rows.length === 0 ? [line(` ${none}`, 'dim')] : rows),
    ],
  }
}

/** All lines of a lower pane. */
function lowerLines(state: EventsState, pane: LowerPane, columns: number, context: FrameContext): Line[] {
  const event = selected(state)
  if (event === undefined) return []
  return pane === 'event'
    ? denseJsonLines(event, columns, context.signs)
    : attachmentLines(context.preview(event), columns, context.signs)
}

const names: Readonly<Record<LowerPane, string>> = { event: '3 Event', attachment: '4 Attachment' }

function lowerPane(
  state: EventsState,
  pane: LowerPane,
  { lower }: Layout,
  context: FrameContext,
): PaneContent {
  const lines = lowerLines(state, pane, lower.columns, context)
  return {
    title: paneTitle(names[pane], state.pane === pane),
    ...visible(lines, state.scrolls[pane], lower.rows),
  }
}

function lower(state: EventsState, layout: Layout, context: FrameContext): Line[] {
  const { arrangement, columns } = layout
  const { rows } = layout.lower
  const { signs } = context
  if (arrangement === 'wide') {
    const half = Math.floor(columns / 2)
    return beside(
      boxed(lowerPane(state, 'event', layout, context), half, rows, signs),
      boxed(lowerPane(state, 'attachment', layout, context), columns - half, rows, signs),
    )
  }
  const pane = lowerPane(state, state.lower, layout, context)
  const title = tabTitle(Object.values(names), names[state.lower], state.pane === state.lower, signs)
  return ruled({ ...pane, title }, columns, rows, signs)
}

/** An open event in place of all panes. */
function single(state: EventsState, layout: Layout, context: FrameContext): Line[] {
  const { columns, rows } = layout.single
  const list = listed(state)
  const place = `${cursorIndex(list, state.cursor) + 1} of ${list.events.length}`
  const pane = {
    title: paneTitle(`Event ${place}`, true),
    ...visible(singleLines(state, columns, context), state.open?.scroll ?? 0, rows),
  }
  return framed(layout.arrangement, pane, layout.columns, rows, context.signs)
}

function singleLines(state: EventsState, columns: number, context: FrameContext): Line[] {
  const event = selected(state)
  return event === undefined ? [] : wholeEvent(event, context.preview(event), columns, context.signs)
}

/** The header and the panes, without the last line. */
export function panes(state: EventsState, layout: Layout, context: FrameContext): Line[] {
  const { columns, arrangement } = layout
  const { signs } = context
  const draw = (pane: PaneContent, rows: number): Line[] => framed(arrangement, pane, columns, rows, signs)
  const body =
    state.open === undefined
      ? [
          ...draw(countsPane(state, layout, context), layout.counts.rows + 1),
          ...draw(listPane(state, layout, context), layout.list.rows + 1),
          ...lower(state, layout, context),
        ]
      : single(state, layout, context)
  return [header(state, layout, context), ...body]
}

/** The last line that may come first in what the keys scroll. */
export function scrollLimit(state: EventsState, size: Size, context: FrameContext): number {
  const { single: whole, lower: low } = layOut(size)
  if (state.open !== undefined) return singleLines(state, whole.columns, context).length - whole.rows
  if (state.pane !== 'event' && state.pane !== 'attachment') return 0
  return lowerLines(state, state.pane, low.columns, context).length - low.rows
}

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
function countsPane(state: EventsState, { counts }: Layout, context: FrameContext): PaneContent {
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
