import type { CaseSetting } from '../../../servers/compression/studies/cases.js'
import { hopNames } from '../../render/compression/case.js'
import type { CaseDrawing } from '../../render/compression/case-lines.js'
import { caseLines, shortCaseLines } from '../../render/compression/case-lines.js'
import { bytesText } from '../../render/text/numbers.js'
import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, line, span, spread } from '../../render/text/spans.js'
import { cutMiddle, wrap } from '../../render/text/text.js'
import { fitFrame } from '../screen/fit-frame.js'
import { helpLines } from '../screen/help.js'
import { hintLine, tableHints } from '../screen/hints.js'
import { MENU_KEYS, menuBox } from '../screen/menu.js'
import { centred } from '../screen/overlay.js'
import type { PaneContent } from '../screen/panes.js'
import { boxed, paneTitle, ruled } from '../screen/panes.js'
import type { Size } from '../screen/size.js'
import { frameHeight } from '../screen/size.js'
import { visible } from '../screen/window.js'
import { exportMenu } from './exports.js'
import { COMPRESS_KEYS } from './keymap.js'
import type { Layout } from './layout.js'
import { layOut } from './layout.js'
import type { CompressState } from './state.js'
import { resultOf, selectedCase } from './state.js'

/** The values that a frame shows besides the state. */
export interface FrameContext {
  readonly signs: Signs
  /** Base URL of the server. */
  readonly server: string
  /** Milliseconds since the epoch, for the names of files. */
  readonly now: number
}

/** The layout of a state: as many hops as the cases have now. */
export function layoutOf({ cases }: CompressState, size: Size): Layout {
  const hops = cases.reduce((count, each) => count + hopNames(each).length, 0)
  return layOut(size, { cases: cases.length, hops })
}

/** Bytes of the body, once one of the cases has reported them. */
function bodyBytes(state: CompressState): number | undefined {
  for (const each of state.cases) {
    const result = resultOf(state, each)
    if (result.state === 'measured' && result.measured.status === 200) return result.measured.bodyBytes
  }
  return undefined
}

/** The longest bar: all have the one scale. */
function scaleOf(state: CompressState): number {
  const bytes = state.cases.flatMap(each => {
    const result = resultOf(state, each)
    return result.state === 'measured' ? result.measured.hops.map(({ wireBytes }) => wireBytes) : []
  })
  return Math.max(0, ...bytes)
}

/** True when every answer of the server so far came raw, and without the Vary of a server that chooses. */
function compressesNothing(state: CompressState): boolean {
  const first = state.cases.flatMap(each => {
    const result = resultOf(state, each)
    return result.state === 'measured' ? result.measured.hops.filter(({ from }) => from === 'server') : []
  })
  return first.length > 0 && first.every(({ coding, vary }) => coding === 'identity' && vary === null)
}

function hopsPane(state: CompressState, { arrangement, hops }: Layout, signs: Signs): PaneContent {
  const drawing: CaseDrawing = { columns: hops.columns, scale: scaleOf(state), signs }
  const small = arrangement === 'small'
  const draw = small ? shortCaseLines : caseLines
  const drawn = state.cases.map((each, i) => draw(each, resultOf(state, each), i === state.selected, drawing))
  const bytes = bodyBytes(state)
  const asked = `GET ${foreign(state.path, signs)}${bytes === undefined ? '' : `   body ${bytesText(bytes)}`}`
  const head = arrangement === 'wide' ? [line(asked), line('')] : []
  const scale = arrangement === 'wide' ? 'wire bytes, one scale for all bars' : 'wire bytes, one scale'
  return {
    title: paneTitle('1 Hops', state.pane === 'hops'),
    aside: [span(scale, 'dim')],
    lines: [...head, ...drawn.flatMap((each, i) => (hops.spaced && i > 0 ? [line(''), ...each] : each))],
  }
}

/** All lines of the why pane: a sentence a line where there is room for that. */
function whyLines(state: CompressState, { columns, rows }: Layout['why'], signs: Signs): Line[] {
  const result = resultOf(state, selectedCase(state))
  const indented = (text: string, tone: 'plain' | 'refused' = 'plain'): Line[] =>
    wrap(foreign(text, signs), columns).map(part => line(part, tone))
  if (result.state === 'measuring') return [line(`measuring${signs.ellipsis}`, 'dim')]
  if (result.state === 'failed') return indented(`${signs.refused} ${result.message}`, 'refused')
  const { why } = result.measured
  const sentences = why.flatMap(text => indented(text))
  return sentences.length <= rows ? sentences : indented(why.join(' '))
}

function whyTitle({ name, title }: CaseSetting, signs: Signs): string {
  return `2 Why ${name}: ${foreign(title, signs)}`
}

function whyPane(state: CompressState, { why }: Layout, signs: Signs): PaneContent {
  const { lines, position } = visible(whyLines(state, why, signs), state.scroll, why.rows)
  return {
    title: paneTitle(whyTitle(selectedCase(state), signs), state.pane === 'why'),
    aside: [span(position, 'dim')],
    lines,
  }
}

/** The first line: the requested path, and the selected case. */
function header(
  state: CompressState,
  size: Size,
  arrangement: string,
  { signs, server }: FrameContext,
): Line {
  const { cases } = state
  const where = arrangement === 'wide' ? `   ${foreign(server, signs)}` : ''
  const path = cutMiddle(foreign(state.path, signs), 34, signs.ellipsis)
  const bytes = bodyBytes(state)
  const off = compressesNothing(state)
  const body = bytes === undefined || off || arrangement === 'wide' ? '' : `  ${bytesText(bytes)}`
  const left: Line = [
    span(arrangement === 'small' ? ' ' : ' oauth-lab  ', 'dim'),
    span('compression lab', 'title'),
    span(`${where}   ${path}${body}`, 'dim'),
    span(off ? `   ${signs.look} compression is off` : '', 'look'),
  ]
  const place = `case ${selectedCase(state).name} of ${cases[0]?.name}${signs.ascii ? '-' : '–'}${cases.at(-1)?.name} `
  return spread(left, [span(place)], size.columns, signs)
}

/** The last line: what the last key came to, or hints. */
function bottom(state: CompressState, { arrangement, columns }: Layout, signs: Signs): Line {
  if (state.notice !== undefined) return [span(` ${foreign(state.notice, signs)}`, 'now')]
  const hints =
    state.menu === undefined
      ? tableHints(COMPRESS_KEYS, state, signs)
      : tableHints(MENU_KEYS, undefined, signs)
  return hintLine(hints, columns, arrangement === 'wide' ? 3 : 2)
}

/** The frame: what the terminal shows of the compression lab. */
export function frameOf(state: CompressState, size: Size, context: FrameContext): Line[] {
  const { signs } = context
  const { columns } = size
  const lines = (): readonly Line[] => {
    if (state.help) {
      const note = 'e and p change the selected case; r brings A to E back as they were'
      return helpLines(COMPRESS_KEYS, [note], size, signs)
    }
    const layout = layoutOf(state, size)
    const { arrangement, hops, why } = layout
    const upper = hopsPane(state, layout, signs)
    const lower = whyPane(state, layout, signs)
    const drawn = [
      header(state, size, arrangement, context),
      ...(arrangement === 'wide'
        ? [...boxed(upper, columns, hops.rows, signs), ...boxed(lower, columns, why.rows, signs)]
        : [...ruled(upper, columns, hops.rows, signs, 0), ...ruled(lower, columns, why.rows, signs)]),
      bottom(state, layout, signs),
    ]
    if (state.menu === undefined) return drawn
    const room = { columns: columns - 4, rows: frameHeight(size) - 2 }
    const box = menuBox(exportMenu(state, context.now), state.menu, room, signs)
    return centred(drawn, box, { columns, rows: frameHeight(size) })
  }
  return fitFrame(lines, size, signs)
}

/** The last line that may come first in the why pane. */
export function scrollLimit(state: CompressState, size: Size, { signs }: FrameContext): number {
  const { why } = layoutOf(state, size)
  return whyLines(state, why, signs).length - why.rows
}
