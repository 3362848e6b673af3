import { loggedOnlyCount } from '../../render/events/events-summary.js'
import { eventsText, spanText } from '../../render/events/events-words.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, line, span, spread } from '../../render/text/spans.js'
import { cutMiddle } from '../../render/text/text.js'
import { fitFrame } from '../screen/fit-frame.js'
import { helpLines } from '../screen/help.js'
import { hintLine, tableHints } from '../screen/hints.js'
import { menuBox } from '../screen/menu.js'
import { centred } from '../screen/overlay.js'
import type { PaneContent } from '../screen/panes.js'
import { beside, boxed, paneTitle, ruled } from '../screen/panes.js'
import type { Size } from '../screen/size.js'
import { frameHeight } from '../screen/size.js'
import { visible } from '../screen/window.js'
import { windowAround } from '../serve/listing.js'
import type { FrameContext } from './context.js'
import { countsPane } from './counts.js'
import { attachmentLines, denseJsonLines, wholeEvent } from './details.js'
import { eventHeading, eventRow } from './event-rows.js'
import { exportMenu } from './exports.js'
import { EVENTS_KEYS } from './keymap.js'
import type { Layout } from './layout.js'
import { layOut } from './layout.js'
import { cursorIndex, listed, selected } from './listed.js'
import type { EventsState, LowerPane } from './state.js'

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
  const index = cursorIndex(state, list)
  const following = state.cursor.at === undefined
  const { from, to } = windowAround(list.events.length, index, {
    rows: room.rows,
    row: following ? room.rows : state.cursor.row,
    heightOf: () => 1,
  })
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
  const { lines, position } = visible(
    lowerLines(state, pane, lower.columns, context),
    state.scrolls[pane],
    lower.rows,
  )
  return { title: paneTitle(names[pane], state.pane === pane), aside: [span(position, 'dim')], lines }
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
  const title = (['event', 'attachment'] as const).flatMap((each, i): Line => {
    const drawn = each === state.lower
    const text = drawn ? `[${names[each]}]` : names[each]
    const tone = !drawn ? 'dim' : state.pane === each ? 'title' : 'plain'
    return [span(i === 0 ? '' : ` ${signs.dot} `, 'dim'), span(text, tone)]
  })
  return ruled({ ...pane, title }, columns, rows, signs)
}

/** An open event in place of all panes. */
function single(state: EventsState, layout: Layout, context: FrameContext): Line[] {
  const { columns, rows } = layout.single
  const { lines, position } = visible(singleLines(state, columns, context), state.open?.scroll ?? 0, rows)
  const list = listed(state)
  const place = `${cursorIndex(state, list) + 1} of ${list.events.length}`
  const pane: PaneContent = {
    title: paneTitle(`Event ${place}`, true),
    aside: [span(position, 'dim')],
    lines,
  }
  return layout.arrangement === 'wide'
    ? boxed(pane, layout.columns, rows, context.signs)
    : ruled(pane, layout.columns, rows, context.signs)
}

function singleLines(state: EventsState, columns: number, context: FrameContext): Line[] {
  const event = selected(state)
  return event === undefined ? [] : wholeEvent(event, context.preview(event), columns, context.signs)
}

/** The last line: the filter that is typed, what the last key came to, what is wrong, or hints. */
function bottom(state: EventsState, { arrangement, columns }: Layout, { signs }: FrameContext): Line {
  if (state.typing) {
    return [
      span(' /', 'name'),
      span(foreign(state.filter, signs)),
      span(signs.caret, 'now'),
      span('   enter keep   esc cancel', 'dim'),
    ]
  }
  if (state.notice !== undefined) return [span(` ${foreign(state.notice, signs)}`, 'now')]
  if (state.trouble !== undefined) return [span(` ${signs.look} ${foreign(state.trouble, signs)}`, 'look')]
  return hintLine(tableHints(EVENTS_KEYS, state, signs), columns, arrangement === 'wide' ? 3 : 2)
}

function panes(state: EventsState, layout: Layout, context: FrameContext): Line[] {
  const { columns, arrangement } = layout
  const { signs } = context
  const draw = (pane: PaneContent, rows: number): Line[] =>
    arrangement === 'wide' ? boxed(pane, columns, rows, signs) : ruled(pane, columns, rows, signs)
  const body =
    state.open === undefined
      ? [
          ...draw(countsPane(state, layout, context), layout.counts.rows + 1),
          ...draw(listPane(state, layout, context), layout.list.rows + 1),
          ...lower(state, layout, context),
        ]
      : single(state, layout, context)
  return [header(state, layout, context), ...body, bottom(state, layout, context)]
}

/** The frame: what the terminal shows of the events. */
export function frameOf(state: EventsState, size: Size, context: FrameContext): Line[] {
  const { signs, now } = context
  const { columns } = size
  const rows = frameHeight(size)
  const lines = (): readonly Line[] => {
    if (state.help) {
      const notes = [
        'filters: action:drop ip:203.0.113. !ua:curl /login',
        '* logged only: nothing was enforced',
      ]
      return helpLines(EVENTS_KEYS, notes, size, signs)
    }
    const drawn = panes(state, layOut(size), context)
    if (state.menu === undefined) return drawn
    const box = menuBox(exportMenu(now), state.menu, { columns: columns - 4, rows: rows - 2 }, signs)
    return centred(drawn, box, { columns, rows })
  }
  return fitFrame(lines, size, signs)
}

/** The last line that may come first in what the keys scroll. */
export function scrollLimit(state: EventsState, size: Size, context: FrameContext): number {
  const { single: whole, lower: low } = layOut(size)
  if (state.open !== undefined) return singleLines(state, whole.columns, context).length - whole.rows
  if (state.pane !== 'event' && state.pane !== 'attachment') return 0
  return lowerLines(state, state.pane, low.columns, context).length - low.rows
}
