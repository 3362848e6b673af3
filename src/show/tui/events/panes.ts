import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Attachment } from '../../../servers/cloudflare/client/webhook/post.js'
import {
  countBy,
  emptyText,
  eventsText,
  LOGGED_MARK,
  loggedOnlyCount,
  spanText,
  timelineOf,
  USUAL_FIELDS,
} from '../../render/events/events-list.js'
import { blockRows, type TopBlock, timelineText, topBlocks } from '../../render/events/events-top.js'
import { ruleLine } from '../../render/steps/exchange-lines.js'
import type { Signs } from '../../render/text/signs.js'
import { fillLine, foreign, type Line, line, span, spread, type Tone } from '../../render/text/spans.js'
import { cutEnd, cutMiddle, pad, wrap } from '../../render/text/text.js'
import { framed } from '../screen/frame.js'
import { cursorIndex, visible, windowAround } from '../screen/list.js'
import { beside, boxed, type PaneContent, paneTitle, ruled, tabTitle } from '../screen/panes.js'
import { type Arrangement, arrangementOf, frameHeight, type Size } from '../screen/size.js'
import { type EventsState, type LowerPane, listed, selected } from './state.js'

/** The event as the API gave it, as JSON; longer lines go on below. */
function jsonLines(event: ListedEvent, columns: number, signs: Signs): Line[] {
  const { logged_only: _, ...given } = event
  return jsonLine(given, 2)
    .split('\n')
    .flatMap(text => {
      const indent = /^ */.exec(text)![0]
      const [name] = /^ *"\w+": /.exec(text) ?? ['']
      const [first = '', ...more] = wrap(
        foreign(text.slice(name.length || indent.length), signs),
        Math.max(8, columns - (name.length || indent.length)),
      )
      return [
        [span(name || indent, name === '' ? 'plain' : 'name'), span(first)],
        ...more.map(each => [span(`${indent}  `), span(each)]),
      ]
    })
}

/** The same in as few lines as it fits into. */
function denseJsonLines(event: ListedEvent, columns: number, signs: Signs): Line[] {
  const { logged_only: _, ...given } = event
  const dense = jsonLine(given, 1).replace(/\n */g, ' ')
  return wrap(foreign(dense, signs), columns).map(text => line(text))
}

/** Columns of the name of a field. */
const NAME = 9

/** An event as a chat service draws its attachment: a bar of its colour, short fields side by side. */
function attachmentLines({ color, fields }: Attachment, columns: number, signs: Signs): Line[] {
  const tone: Tone = color === 'good' ? 'done' : 'refused'
  const edge = span(signs.ascii ? '| ' : '█ ', tone)
  const room = columns - 2
  const half = Math.floor(room / 2)
  const short = fields.filter(each => each.short)
  const long = fields.filter(each => !each.short)
  const cell = ({ title, value }: Attachment['fields'][number], width: number): Line =>
    fillLine([span(pad(title, NAME), 'name'), span(foreign(value, signs))], width, signs)
  const pairs = Array.from({ length: Math.ceil(short.length / 2) }, (_, i) => short.slice(2 * i, 2 * i + 2))
  const lines: Line[] = [
    [span(`color ${color}`, tone), span(color === 'good' ? '  logged, not enforced' : '  enforced', 'dim')],
    ...pairs.map(([left, right]) => [
      ...(left ? cell(left, half - 1) : []),
      span(' '),
      ...(right ? cell(right, half) : []),
    ]),
    ...long.flatMap(({ title, value }) =>
      wrap(foreign(value, signs), Math.max(8, room - NAME)).map(
        (text, i): Line => [span(pad(i === 0 ? title : '', NAME), 'name'), span(text)],
      ),
    ),
  ]
  return lines.map(each => [edge, ...each])
}

/** All of an event: as JSON, and as it would be posted. */
function wholeEvent(event: ListedEvent, attachment: Attachment, columns: number, signs: Signs): Line[] {
  return [
    ...jsonLines(event, columns, signs),
    ruleLine([span('As a chat attachment', 'title')], [], columns, signs),
    ...attachmentLines(attachment, columns, signs),
    line(''),
  ]
}

/** Widths of the columns; 0 leaves one out. The URI gets the rest. */
interface Columns {
  readonly action: number
  readonly source: number
  readonly ip: number
  readonly country: number
  readonly host: number
}

const widths: Readonly<Record<Arrangement, Columns>> = {
  wide: { action: 12, source: 13, ip: 16, country: 2, host: 17 },
  normal: { action: 12, source: 0, ip: 15, country: 2, host: 17 },
  small: { action: 9, source: 0, ip: 15, country: 2, host: 0 },
  tooSmall: { action: 9, source: 0, ip: 15, country: 2, host: 0 },
}

const TIME = 8
const GAP = 1

function uriColumns(of: Columns, columns: number): number {
  const others = [TIME, ...Object.values(of)].filter(each => each > 0)
  return Math.max(4, columns - others.reduce((sum, each) => sum + each + GAP, 0))
}

function cells(
  arrangement: Arrangement,
  texts: Readonly<Record<keyof Columns | 'time' | 'uri', Line>>,
): Line {
  const of = widths[arrangement]
  const named = (['action', 'source', 'ip', 'country', 'host'] as const).filter(name => of[name] > 0)
  const shown = [texts.time, ...named.map(name => texts[name]), texts.uri]
  return shown.flatMap((cell, i) => (i === 0 ? cell : [span(' '.repeat(GAP)), ...cell]))
}

/** The names of the columns. */
function eventHeading(arrangement: Arrangement, columns: number): Line {
  const of = widths[arrangement]
  const name = (text: string, room: number): Line => line(pad(text.slice(0, room), room), 'dim')
  return cells(arrangement, {
    time: name('time', TIME),
    action: name('action', of.action),
    source: name('source', of.source),
    ip: name('ip', of.ip),
    country: name('cc', of.country),
    host: name('host', of.host),
    uri: name('uri', uriColumns(of, columns)),
  })
}

/** The tone of an action; its text says the same. */
function toneOf({ action, logged_only }: ListedEvent): Tone {
  if (logged_only) return 'done'
  if (action === 'drop' || action === 'connectionClose') return 'refused'
  return action === 'allow' ? 'plain' : 'look'
}

/** An event as a line of the list. */
function eventRow(event: ListedEvent, arrangement: Arrangement, columns: number, signs: Signs): Line {
  const of = widths[arrangement]
  const uri = uriColumns(of, columns)
  const shown = (text: string): string => foreign(text, signs) || emptyText(signs)
  const end = (text: string, room: number): string => pad(cutEnd(shown(text), room, signs.ellipsis), room)
  const middle = (text: string, room: number): string =>
    pad(cutMiddle(shown(text), room, signs.ellipsis), room)
  return cells(arrangement, {
    time: line(end(event.occurred_at.slice(11, 19), TIME), 'dim'),
    action: line(end(`${event.action}${event.logged_only ? LOGGED_MARK : ''}`, of.action), toneOf(event)),
    source: line(end(event.source, of.source)),
    ip: line(middle(event.ip, of.ip)),
    country: line(end(event.country, of.country)),
    host: line(middle(event.host, of.host)),
    uri: line(cutEnd(shown(event.uri), uri, signs.ellipsis)),
  })
}

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

/** Lines that are no contents: header, hints, frames, headings of the counts and of the list. */
const framing = { wide: 10, normal: 7, small: 7, tooSmall: 7 } as const

/** Values of each field. */
const values = { wide: 5, normal: 4, small: 3, tooSmall: 3 } as const

/** The part of the room below the counts that the lower panes get. */
const LOWER = 0.45

/** Lays the screen out. Columns and rows are those of contents, frames and headings not counted. */
export function layOut(size: Size) {
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
    /** Rows of values, below their headings. */
    counts: { columns: inner, rows: counts },
    list: { columns: inner, rows: Math.max(2, room - lower) },
    lower: { columns: wide ? Math.floor(columns / 2) - 4 : inner, rows: lower },
    /** An open event, in place of all panes. */
    single: { columns: inner, rows: Math.max(1, height - (wide ? 4 : 3)) },
  }
}

export type Layout = ReturnType<typeof layOut>

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
