import type { CaseSetting } from '../../../servers/compression/studies/cases.js'
import { type CaseDrawing, caseLines, hopNames, shortCaseLines } from '../../render/compression/case-lines.js'
import { bytesText } from '../../render/text/numbers.js'
import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, span, spread } from '../../render/text/spans.js'
import { cutMiddle, wrap } from '../../render/text/text.js'
import { framed } from '../screen/frame.js'
import { visible } from '../screen/list.js'
import { type PaneContent, paneTitle } from '../screen/panes.js'
import { arrangementOf, frameHeight, type Size } from '../screen/size.js'
import { type CompressState, resultOf, selectedCase } from './state.js'

/** The values that a frame shows besides the state. */
export interface FrameContext {
  readonly signs: Signs
  /** Base URL of the server. */
  readonly server: string
  /** Milliseconds since the epoch, for the names of files. */
  readonly now: number
}

/** Lines that are no contents: header, hints, frames or rules. */
const framing = { wide: 6, normal: 4, small: 4, tooSmall: 4 } as const

/** Lines of the why pane that come before lines between the cases. */
const ENOUGH = 5

/** Lays the lab out, contents without frames: the hops of all cases get the lines that they have, the reasons the rest. */
export function layOut(state: CompressState, size: Size) {
  const cases = state.cases.length
  const hops = state.cases.reduce((count, each) => count + hopNames(each).length, 0)
  const arrangement = arrangementOf(size)
  const { columns } = size
  const wide = arrangement === 'wide'
  const room = Math.max(3, frameHeight(size) - framing[arrangement])
  const head = wide ? 2 : 0
  const tight = head + hops + (arrangement === 'small' ? 0 : cases)
  const spaced = wide && room - (tight + cases - 1) >= ENOUGH
  const rows = Math.min(spaced ? tight + cases - 1 : tight, room - 2)
  const inner = columns - (wide ? 4 : 2)
  return {
    arrangement,
    columns,
    /** `spaced`: a line fits between two cases. */
    hops: { columns: inner, rows, spaced },
    why: { columns: inner, rows: room - rows },
  }
}

export type Layout = ReturnType<typeof layOut>

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
  return {
    title: paneTitle(whyTitle(selectedCase(state), signs), state.pane === 'why'),
    ...visible(whyLines(state, why, signs), state.scroll, why.rows),
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

/** The header and the panes, without the last line. */
export function panes(state: CompressState, size: Size, context: FrameContext): Line[] {
  const { signs } = context
  const { columns } = size
  const layout = layOut(state, size)
  const { arrangement, hops, why } = layout
  return [
    header(state, size, arrangement, context),
    ...framed(arrangement, hopsPane(state, layout, signs), columns, hops.rows, signs, 0),
    ...framed(arrangement, whyPane(state, layout, signs), columns, why.rows, signs),
  ]
}

/** The last line that may come first in the why pane. */
export function scrollLimit(state: CompressState, size: Size, { signs }: FrameContext): number {
  const { why } = layOut(state, size)
  return whyLines(state, why, signs).length - why.rows
}
