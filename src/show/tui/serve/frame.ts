import { weakNotice } from '../../../protocol/rules/weak-modes.js'
import { ruleLine } from '../../render/steps/exchange-lines.js'
import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, line, span } from '../../render/text/spans.js'
import { width } from '../../render/text/text.js'
import { fitFrame } from '../screen/fit-frame.js'
import { helpLines } from '../screen/help.js'
import { hintLine, tableHints } from '../screen/hints.js'
import { MENU_KEYS, menuBox } from '../screen/menu.js'
import { centred } from '../screen/overlay.js'
import type { PaneContent } from '../screen/panes.js'
import { beside, boxed, paneTitle, ruled } from '../screen/panes.js'
import type { Size } from '../screen/size.js'
import { frameHeight } from '../screen/size.js'
import { weakNoticeLines } from '../screen/weak-notice.js'
import { visible } from '../screen/window.js'
import { exportMenu } from './exports.js'
import type { Feed } from './header.js'
import { header } from './header.js'
import { infoLines, pasteLines } from './info.js'
import { SERVE_KEYS } from './keymap.js'
import type { Layout } from './layout.js'
import { layOut } from './layout.js'
import { cursorIndex, listed, windowAround } from './listing.js'
import { countText, emptyText, lowerPane, pointer, tabTitle } from './lower.js'
import { GROUPS, SHOWN } from './panes.js'
import { requestHeading, requestHeight, requestLines } from './request-table.js'
import { singleLines } from './single.js'
import type { DashboardState } from './state.js'
import { entryAt } from './view/history.js'

/** The values that a frame shows besides the state. */
export interface FrameContext {
  readonly feed: Feed
  readonly signs: Signs
  /** The lab's time, milliseconds since the epoch. */
  readonly now: number
}

/** The notice of a weak lab. */
const noticeOf = ({ view }: DashboardState, { columns }: Size): Line[] =>
  weakNoticeLines(view.facts.weak ?? [], columns)

/** The layout of a state: a notice takes its lines from the panes. */
export function layoutOf(state: DashboardState, size: Size): Layout {
  return layOut(size, state.grow, noticeOf(state, size).length)
}

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
  return [
    line(
      pasted.length === 0 ? '  none yet' : '  none yet; to paste into another terminal (i says more):',
      'dim',
    ),
    line(''),
    ...pasted.map(each => line(`  ${foreign(each, signs)}`)),
  ]
}

/** The table of requests. */
function requestPane(state: DashboardState, layout: Layout, context: FrameContext): PaneContent {
  const { signs } = context
  const { view, cursors, filters } = state
  const { columns, rows } = layout.requests
  const { arrangement } = layout
  const list = listed(state, 'requests')
  const index = cursorIndex(state, 'requests', list)
  const at = (i: number) => entryAt(view.requests, list[i]!)!
  const following = cursors.requests?.at === undefined
  const { from, to } = windowAround(list.length, index, {
    rows,
    row: following ? rows : (cursors.requests?.row ?? 0),
    heightOf: i => requestHeight(at(i), arrangement),
  })
  const focused = state.pane === 'requests'
  const drawn = list.slice(from, to).flatMap((_, i) => {
    const [first = [], ...more] = requestLines(at(from + i), arrangement, columns - 1, signs)
    return [
      [...pointer(focused && from + i === index, context), ...first],
      ...more.map(each => [span(' '), ...each]),
    ]
  })
  const { first, end } = view.requests
  const filter = filters.requests
  const aside = [
    ...(following ? ['following'] : []),
    countText(list.length, end - first, filter),
    ...(filter ? [`filter ${foreign(filter, signs)}`] : []),
  ].join(` ${signs.dot} `)
  const heading: Line = [span(' '), ...requestHeading(arrangement, columns - 1)]
  return {
    title: paneTitle('1 Requests', focused),
    aside: [span(aside, 'dim')],
    lines:
      list.length === 0
        ? noRequest(state, columns, context)
        : arrangement === 'small'
          ? drawn
          : [heading, ...drawn],
  }
}

function lower(state: DashboardState, layout: Layout, context: FrameContext): Line[] {
  const { arrangement, columns } = layout
  const { rows } = layout.lower
  if (arrangement !== 'wide') {
    const pane = lowerPane(state, state.lower, { columns: columns - 3, rows, density: 'flat' }, context)
    const title = tabTitle(state, columns - 20, context)
    return ruled({ ...pane, title }, columns, rows, context.signs)
  }
  const group = GROUPS.find(each => each.includes(state.lower)) ?? GROUPS[0]!
  // What is left of the columns goes to the last box; two panes share the room of three.
  const third = Math.floor(columns / 3)
  return group
    .map((pane, i) => {
      const wide = i === group.length - 1 ? columns - third * i : third
      const density = wide > 60 ? 'flat' : 'tall'
      const content = lowerPane(state, pane, { columns: wide - 4, rows, density }, context)
      return boxed(content, wide, rows, context.signs)
    })
    .reduce(beside)
}

/** An open entry with its place among the others. */
function single(state: DashboardState, layout: Layout, context: FrameContext): Line[] {
  const { open, view } = state
  if (open === undefined) return []
  const { columns, rows } = layout.single
  const { lines, position } = visible(singleLines(view, open, columns, context), open.scroll, rows)
  const name = SHOWN[open.pane].name.replace(/s$/, '')
  const pane: PaneContent = {
    title: paneTitle(`${name} ${open.n + 1}`, true),
    aside: [span(position, 'dim')],
    lines,
  }
  return layout.arrangement === 'wide'
    ? boxed(pane, layout.columns, rows, context.signs)
    : ruled(pane, layout.columns, rows, context.signs)
}

/** The last line: the filter that is typed, what the last key came to, or hints. */
function bottom(state: DashboardState, { arrangement, columns }: Layout, { signs }: FrameContext): Line {
  if (state.typing) {
    const text = foreign(state.filters[state.pane] ?? '', signs)
    return [
      span(' /', 'name'),
      span(text),
      span(signs.caret, 'now'),
      span('   enter keep   esc cancel', 'dim'),
    ]
  }
  if (state.notice !== undefined) return [span(` ${foreign(state.notice, signs)}`, 'now')]
  const hints =
    state.menu === undefined ? tableHints(SERVE_KEYS, state, signs) : tableHints(MENU_KEYS, undefined, signs)
  return hintLine(hints, columns, arrangement === 'wide' ? 3 : 2)
}

function panes(state: DashboardState, size: Size, layout: Layout, context: FrameContext): Line[] {
  const { columns, arrangement } = layout
  const { signs, feed } = context
  const requests = requestPane(state, layout, context)
  const rows = layout.requests.rows + (arrangement === 'small' ? 0 : 1)
  const body =
    state.open === undefined
      ? [
          ...(arrangement === 'wide'
            ? boxed(requests, columns, rows, signs)
            : ruled(requests, columns, rows, signs, 0)),
          ...lower(state, layout, context),
        ]
      : single(state, layout, context)
  const top = [header(state, size, feed, context), ...noticeOf(state, size)]
  return [...top, ...body, bottom(state, layout, context)]
}

/** The frame: what the terminal shows of the dashboard. */
export function frameOf(state: DashboardState, size: Size, context: FrameContext): Line[] {
  const { signs, feed } = context
  const { columns } = size
  const rows = frameHeight(size)
  const lines = (): readonly Line[] => {
    if (state.overlay === 'help') {
      return helpLines(
        SERVE_KEYS,
        ['filters: status:4 client:demo site:resource method:POST !/jwks text'],
        size,
        signs,
      )
    }
    if (state.overlay === 'info') {
      const notes = [weakNotice(state.view.facts.weak ?? []), feed.broken].filter(each => each !== undefined)
      const info = infoLines(state.view, notes, columns, signs)
      const said =
        state.notice === undefined
          ? []
          : [ruleLine([], [], columns, signs), line(` ${foreign(state.notice, signs)}`, 'now')]
      return [...info.slice(0, rows - said.length), ...said]
    }
    const drawn = panes(state, size, layoutOf(state, size), context)
    if (state.menu === undefined) return drawn
    const box = menuBox(
      exportMenu(state, context.now),
      state.menu,
      { columns: columns - 4, rows: rows - 2 },
      signs,
    )
    return centred(drawn, box, { columns, rows })
  }
  return fitFrame(lines, size, signs)
}

/** The last line that may come first in the open entry. */
export function scrollLimit(state: DashboardState, size: Size, context: FrameContext): number {
  const { columns, rows } = layoutOf(state, size).single
  return state.open === undefined ? 0 : singleLines(state.view, state.open, columns, context).length - rows
}

/** True when a time is visible. */
export function ticks(state: DashboardState, { feed }: Pick<FrameContext, 'feed'>): boolean {
  return feed.live && state.overlay === undefined
}
