import type { Signs } from '../../render/text/signs.js'
import { fillLine, foreign, type Line, line, lineWidth, span, spread } from '../../render/text/spans.js'
import { cutMiddle, width } from '../../render/text/text.js'
import { framed, weakNoticeLines } from '../screen/frame.js'
import { cursorIndex, visible, windowAround } from '../screen/list.js'
import { beside, boxed, essential, type PaneContent, paneTitle, ruled, tabTitle } from '../screen/panes.js'
import { arrangementOf, frameHeight, type Size } from '../screen/size.js'
import { countText, type DrawContext, GROUPS, type LowerPane, PANES, paneName, SHOWN } from './entries.js'
import { pasteLines } from './info.js'
import { requestHeading, requestHeight, requestLines } from './request-table.js'
import { singleLines } from './single.js'
import { cursorOf, type DashboardState, listed } from './state.js'
import { entryAt } from './view/history.js'

/** The source of the dashboard's events. */
export interface Feed {
  /** As it is typed: `serve`, `play run.jsonl`. */
  readonly command: string
  /** True when more is to come; a recorded file has ended. */
  readonly live: boolean
  /** Number of lines that were not events, in a sentence; absent when all were. */
  readonly broken?: string
}

/** The values that a frame shows besides the state. */
export interface FrameContext extends DrawContext {
  readonly feed: Feed
  /** The titles of the sites, by their names. */
  readonly titles: Readonly<Record<string, string>>
}

/** Lines that are no contents: header, hints, frames, the heading of the requests. */
const framing = { wide: 7, normal: 5, small: 4, tooSmall: 4 } as const

/** The part of the room that the lower panes get. */
const LOWER = 0.38

/** The notice of a weak lab. */
const noticeOf = ({ view }: DashboardState, { columns }: Size): Line[] =>
  weakNoticeLines(view.facts.weak ?? [], columns)

/** Lays the dashboard out. Columns and rows are those of contents, frames and headings not counted. A notice takes its lines from the panes. */
export function layOut(state: DashboardState, size: Size) {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const height = frameHeight(size) - noticeOf(state, size).length
  const room = Math.max(4, height - framing[arrangement])
  const lower = Math.max(2, Math.min(room - 2, Math.round(room * LOWER) + state.grow))
  const wide = arrangement === 'wide'
  const inner = columns - (wide ? 4 : 2)
  return {
    arrangement,
    columns,
    requests: { columns: inner, rows: room - lower },
    lower: { rows: lower },
    /** An open entry, in place of all panes. */
    single: { columns: inner, rows: Math.max(1, height - (wide ? 4 : 3)) },
  }
}

export type Layout = ReturnType<typeof layOut>

/** The first line: what is watched, where it is, how long it has been up. */
function header(state: DashboardState, size: Size, { feed, now, signs }: FrameContext): Line {
  const { facts, startedAt, lastAt } = state.view
  const at = (site: string) => facts.urls.find(([name]) => name === site)?.[1]
  const where = at('authorization') ?? facts.urls[0]?.[1]
  const wide = arrangementOf(size) === 'wide'
  const small = arrangementOf(size) === 'small'
  const http = /:(\d+)$/.exec(at('http') ?? '')?.[1]
  const unusual = [facts.stage, facts.profile].filter(
    each => each !== undefined && each !== 'published-keys' && each !== 'standard',
  )
  const compression = facts.compression ? 'on' : 'off'
  const left: Line = [
    span(small ? ' ' : ' oauth-lab  ', 'dim'),
    span(foreign(cutMiddle(feed.command, 30, signs.ellipsis), signs), 'title'),
    span(where === undefined ? '' : `${small ? '  ' : '   '}${foreign(where, signs)}`, 'dim'),
    span(unusual.length > 0 && !small ? `   ${foreign(unusual.join(', '), signs)}` : '', 'look'),
    span(wide && http !== undefined ? `   http :${http} ${signs.to} https` : '', 'dim'),
    span(wide && facts.compression !== undefined ? `   compression ${compression}` : '', 'dim'),
  ]
  const broken = feed.broken === undefined ? [] : [span(`${signs.look} ${feed.broken}  `, 'look')]
  const until = feed.live ? now : (lastAt ?? now)
  const up =
    startedAt === undefined ? 'waiting' : `${feed.live ? 'up' : 'recorded'} ${countText(until - startedAt)}`
  const right = [...broken, span(`${up} `)]
  return spread(essential(left, size.columns - lineWidth(right) - 1), right, size.columns, signs)
}

/** The sign before the entry that the keys are at. */
const pointer = (here: boolean, signs: Signs): Line => [span(here ? signs.arrowRight : ' ', 'now')]

/** The text of an empty pane. */
const emptyText = (filter: string | undefined): string =>
  filter ? 'none fits the filter; esc clears it' : 'none yet'

/** How many of how many entries a filter left. */
const shownText = (shown: number, all: number, filter: string | undefined): string =>
  filter ? `${shown} of ${all}` : String(all)

/** The text in the place of requests before the first one. */
function noRequest(
  { view, filters }: DashboardState,
  columns: number,
  { feed, signs }: FrameContext,
): Line[] {
  if (view.requests.end > 0 || filters.requests) return [line(`  ${emptyText(filters.requests)}`, 'dim')]
  if (!feed.live) return [line('  no request in it', 'dim')]
  // A line that is cut is of no use to paste.
  const pasted = pasteLines(view).filter(each => width(each) <= columns - 2)
  const more = pasted.length === 0 ? '' : '; to paste into another terminal (i says more):'
  return [
    line(`  none yet${more}`, 'dim'),
    line(''),
    ...pasted.map(each => line(`  ${foreign(each, signs)}`)),
  ]
}

/** The table of requests. */
function requestPane(state: DashboardState, layout: Layout, context: FrameContext): PaneContent {
  const { signs } = context
  const { view, filters } = state
  const { columns, rows } = layout.requests
  const { arrangement } = layout
  const list = listed(state, 'requests')
  const cursor = cursorOf(state, 'requests')
  const index = cursorIndex(list, cursor)
  const at = (i: number) => entryAt(view.requests, list.numbers[i]!)!
  const { from, to } = windowAround(list, cursor, rows, i => requestHeight(at(i), arrangement))
  const focused = state.pane === 'requests'
  const drawn = list.numbers.slice(from, to).flatMap((_, i) => {
    const [first = [], ...more] = requestLines(at(from + i), arrangement, columns - 1, signs)
    return [
      [...pointer(focused && from + i === index, signs), ...first],
      ...more.map(each => [span(' '), ...each]),
    ]
  })
  const { first, end } = view.requests
  const filter = filters.requests
  const aside = [
    ...(cursor.at === undefined ? ['following'] : []),
    shownText(list.numbers.length, end - first, filter),
    ...(filter ? [`filter ${foreign(filter, signs)}`] : []),
  ].join(` ${signs.dot} `)
  const heading: Line[] =
    arrangement === 'small' ? [] : [[span(' '), ...requestHeading(arrangement, columns - 1)]]
  return {
    title: paneTitle('1 Requests', focused),
    aside: [span(aside, 'dim')],
    lines: drawn.length === 0 ? noRequest(state, columns, context) : [...heading, ...drawn],
  }
}

/** The room of a lower pane. `tall`: an entry takes two lines there. */
interface LowerRoom {
  readonly columns: number
  readonly rows: number
  readonly tall: boolean
}

/** The entries of a lower pane that can be seen, and how many there are. */
function lowerPane(
  state: DashboardState,
  pane: LowerPane,
  { columns, rows, tall }: LowerRoom,
  context: DrawContext,
): PaneContent {
  const { signs } = context
  const { at, history } = SHOWN[pane]
  const { view, filters } = state
  const list = listed(state, pane)
  const cursor = cursorOf(state, pane)
  const index = cursorIndex(list, cursor)
  const { from, to } = windowAround(list, cursor, rows, tall ? 2 : 1)
  const focused = state.pane === pane
  const nameRoom = tall ? columns - 1 : Math.floor(columns * 0.5)
  const shown = list.numbers.slice(from, to).map(n => {
    const entry = at(view, n)
    return {
      what: essential(entry?.identity(context) ?? [], nameRoom),
      became: entry?.status(context) ?? [],
    }
  })
  // What became of them stands in one column, as far to the left as the names let it.
  const nameColumns = Math.min(nameRoom, Math.max(0, ...shown.map(({ what }) => lineWidth(what))))
  const lines = shown.flatMap(({ what, became }, i): Line[] => {
    const before = pointer(focused && from + i === index, signs)
    if (tall)
      return [
        [...before, ...what],
        [span('   '), ...essential(became, columns - 3)],
      ]
    const room = columns - nameColumns - 3
    return [[...before, ...fillLine(what, nameColumns, signs), span('  '), ...essential(became, room)]]
  })
  const { first, end } = history(view)
  const filter = filters[pane]
  const count = shownText(list.numbers.length, end - first, filter)
  return {
    title: paneTitle(paneName(pane), focused),
    aside: [span(filter ? `filter ${foreign(filter, signs)}  ${count}` : count, 'dim')],
    lines: lines.length === 0 ? [line(` ${emptyText(filter)}`, 'dim')] : lines,
  }
}

/** The names of all lower panes, the drawn one in brackets; as many of the others as fit, then their numbers. */
function lowerTitle(state: DashboardState, columns: number, signs: Signs): Line {
  const [, ...lower] = PANES
  const titleOf = (shortFrom: number): Line => {
    const names = lower.map((pane, i) =>
      i >= shortFrom && pane !== state.lower ? String(i + 2) : paneName(pane),
    )
    return tabTitle(names, paneName(state.lower), state.pane === state.lower, signs)
  }
  let whole = lower.length
  while (whole > 0 && lineWidth(titleOf(whole)) > columns) whole -= 1
  return titleOf(whole)
}

function lower(state: DashboardState, layout: Layout, context: FrameContext): Line[] {
  const { arrangement, columns } = layout
  const { rows } = layout.lower
  const { signs } = context
  if (arrangement !== 'wide') {
    const pane = lowerPane(state, state.lower, { columns: columns - 3, rows, tall: false }, context)
    return ruled({ ...pane, title: lowerTitle(state, columns - 20, signs) }, columns, rows, signs)
  }
  const group = GROUPS.find(each => each.includes(state.lower)) ?? GROUPS[0]!
  // What is left of the columns goes to the last box; two panes share the room of three.
  const third = Math.floor(columns / 3)
  return group
    .map((pane, i) => {
      const room = i === group.length - 1 ? columns - third * i : third
      const content = lowerPane(state, pane, { columns: room - 4, rows, tall: room <= 60 }, context)
      return boxed(content, room, rows, signs)
    })
    .reduce(beside)
}

/** An open entry with its place among the others. */
function single(state: DashboardState, layout: Layout, context: FrameContext): Line[] {
  const { open, view } = state
  if (open === undefined) return []
  const { columns, rows } = layout.single
  const name = SHOWN[open.pane].name.replace(/s$/, '')
  const pane = {
    title: paneTitle(`${name} ${open.n + 1}`, true),
    ...visible(singleLines(view, open, columns, context), open.scroll, rows),
  }
  return framed(layout.arrangement, pane, layout.columns, rows, context.signs)
}

/** The header and the panes, without the last line. */
export function panes(state: DashboardState, size: Size, context: FrameContext): Line[] {
  const layout = layOut(state, size)
  const { columns, arrangement, requests } = layout
  const rows = requests.rows + (arrangement === 'small' ? 0 : 1)
  const body =
    state.open === undefined
      ? [
          ...framed(arrangement, requestPane(state, layout, context), columns, rows, context.signs, 0),
          ...lower(state, layout, context),
        ]
      : single(state, layout, context)
  return [header(state, size, context), ...noticeOf(state, size), ...body]
}

/** The last line that may come first in the open entry. */
export function scrollLimit(state: DashboardState, size: Size, context: FrameContext): number {
  const { columns, rows } = layOut(state, size).single
  return state.open === undefined ? 0 : singleLines(state.view, state.open, columns, context).length - rows
}
