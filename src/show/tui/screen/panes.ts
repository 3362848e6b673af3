import { ruleLine } from '../../render/steps/exchange-lines.js'
import type { Signs } from '../../render/text/signs.js'
import { cutLine, fillLine, type Line, lineWidth, span } from '../../render/text/spans.js'

/** A pane: what its frame says, and its lines. */
export interface PaneContent {
  readonly title: Line
  /** At the right end of the frame. */
  readonly aside: Line
  readonly lines: readonly Line[]
}

/** The title of a pane, in brackets where the keys go to it. */
export function paneTitle(text: string, focused: boolean): Line {
  return [span(focused ? `[${text}]` : text, focused ? 'title' : 'plain')]
}

/** The titles of panes that share a frame; the drawn one is in brackets. @param focused true where the keys go to it */
export function tabTitle(titles: readonly string[], drawn: string, focused: boolean, signs: Signs): Line {
  return titles.flatMap((title, i) => [
    span(i === 0 ? '' : ` ${signs.dot} `, 'dim'),
    title === drawn ? span(`[${title}]`, focused ? 'title' : 'plain') : span(title, 'dim'),
  ])
}

function dashes(count: number, signs: Signs): Line {
  return [span(signs.solid.repeat(Math.max(0, count)), 'dim')]
}

/** A pane in a box, `columns` wide in all, with exactly `rows` lines inside. */
export function boxed(pane: PaneContent, columns: number, rows: number, signs: Signs): Line[] {
  const [topLeft, topRight, bottomLeft, bottomRight] = signs.corners
  const inner = columns - 4
  const title = cutLine(pane.title, inner - 2, signs)
  const room = columns - 6 - lineWidth(title) - 3
  const aside = lineWidth(pane.aside) > 0 && lineWidth(pane.aside) <= room ? pane.aside : []
  const asideWidth = aside.length > 0 ? lineWidth(aside) + 3 : 1
  const top: Line = [
    span(`${topLeft}${signs.solid} `, 'dim'),
    ...title,
    span(' '),
    ...dashes(columns - 5 - lineWidth(title) - asideWidth, signs),
    ...(aside.length > 0 ? [span(' '), ...aside, span(' ')] : []),
    span(`${signs.solid}${topRight}`, 'dim'),
  ]
  const edge = span(signs.vertical, 'dim')
  const body = Array.from({ length: rows }, (_, i): Line => {
    return [edge, span(' '), ...fillLine(pane.lines[i] ?? [], inner, signs), span(' '), edge]
  })
  const bottom: Line = [span(bottomLeft, 'dim'), ...dashes(columns - 2, signs), span(bottomRight, 'dim')]
  return [top, ...body, bottom]
}

/** A pane under a rule, with exactly `rows` lines below it. `indent` is the margin of the lines. */
export function ruled(
  pane: PaneContent,
  columns: number,
  rows: number,
  signs: Signs,
  indent: 0 | 1 = 1,
): Line[] {
  const title = cutLine(pane.title, columns - 6, signs)
  const body = Array.from({ length: rows }, (_, i): Line => {
    const line = cutLine(pane.lines[i] ?? [], columns - 2 * indent, signs)
    return line.length > 0 && indent > 0 ? [span(' '), ...line] : line
  })
  return [ruleLine(title, pane.aside, columns, signs), ...body]
}

/** Two blocks of equally many lines, side by side; the left one fills its columns. */
export function beside(left: readonly Line[], right: readonly Line[]): Line[] {
  return left.map((line, i) => [...line, ...(right[i] ?? [])])
}

/** A line without those dim pieces at its end that only add to it, where they do not fit into `columns`. */
export function essential(line: Line, columns: number): Line {
  const last = Math.max(
    0,
    line.findLastIndex(({ tone, text }) => tone !== 'dim' && text !== ''),
  )
  let kept = line
  while (kept.length > last + 1 && lineWidth(kept) > columns) kept = kept.slice(0, -1)
  return kept
}
