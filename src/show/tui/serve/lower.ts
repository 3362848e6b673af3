import type { Line } from '../../render/text/spans.js'
import { fillLine, foreign, line, lineWidth, span } from '../../render/text/spans.js'
import { essential } from '../screen/essential.js'
import type { PaneContent } from '../screen/panes.js'
import { paneTitle } from '../screen/panes.js'
import type { DrawContext } from './context.js'
import { cursorIndex, listed, windowAround } from './listing.js'
import type { LowerPane } from './panes.js'
import { PANES, paneName, SHOWN } from './panes.js'
import type { DashboardState } from './state.js'

/** How an entry is drawn: two lines in a narrow box, else one. */
export type Density = 'tall' | 'flat'

/** The sign before the entry that the keys are at. */
export function pointer(here: boolean, { signs }: DrawContext): Line {
  return [span(here ? signs.arrowRight : ' ', 'now')]
}

/** The text of an empty pane. */
export function emptyText(filter: string | undefined): string {
  return filter ? 'none fits the filter; esc clears it' : 'none yet'
}

/** How many of how many entries a filter left. */
export function countText(shown: number, all: number, filter: string | undefined): string {
  return filter ? `${shown} of ${all}` : String(all)
}

/** The entries of a lower pane that can be seen, and how many there are. */
export function lowerPane(
  state: DashboardState,
  pane: LowerPane,
  { columns, rows, density }: { readonly columns: number; readonly rows: number; readonly density: Density },
  context: DrawContext,
): PaneContent {
  const { identity, status, history } = SHOWN[pane]
  const { view, filters, cursors } = state
  const list = listed(state, pane)
  const index = cursorIndex(state, pane, list)
  const height = density === 'tall' ? 2 : 1
  const row = (cursors[pane]?.row ?? 0) * height
  const { from, to } = windowAround(list.length, index, { rows, row, heightOf: () => height })
  const focused = state.pane === pane
  const shown = list.slice(from, to)
  const nameRoom = density === 'tall' ? columns - 1 : Math.floor(columns * 0.5)
  const identities = shown.map(n => essential(identity(view, n, context), nameRoom))
  // What became of them stands in one column, as far to the left as the names let it.
  const widest = Math.max(0, ...identities.map(lineWidth))
  const nameColumns = Math.min(widest, nameRoom)
  const lines = shown.flatMap((n, i): Line[] => {
    const before = pointer(focused && from + i === index, context)
    const what = identities[i]!
    const became = status(view, n, context)
    if (density === 'tall')
      return [
        [...before, ...what],
        [span('   '), ...essential(became, columns - 3)],
      ]
    const room = columns - nameColumns - 3
    return [
      [...before, ...fillLine(what, nameColumns, context.signs), span('  '), ...essential(became, room)],
    ]
  })
  const { first, end } = history(view)
  const filter = filters[pane]
  const aside = [
    filter ? `filter ${foreign(filter, context.signs)}` : '',
    countText(list.length, end - first, filter),
  ]
  return {
    title: paneTitle(paneName(pane), focused),
    aside: [span(aside.filter(each => each !== '').join('  '), 'dim')],
    lines: list.length === 0 ? [line(` ${emptyText(filter)}`, 'dim')] : lines,
  }
}

/** The names of all lower panes, the drawn one in brackets; as many of the others as fit, then their numbers. */
export function tabTitle(state: DashboardState, columns: number, { signs }: DrawContext): Line {
  const [, ...lower] = PANES
  const named = (pane: LowerPane, short: boolean): Line => {
    const text = short ? String(PANES.indexOf(pane) + 1) : paneName(pane)
    if (pane !== state.lower) return [span(text, 'dim')]
    return [span(`[${paneName(pane)}]`, state.pane === pane ? 'title' : 'plain')]
  }
  const all = (shortFrom: number): Line =>
    lower.flatMap((pane, i) => [
      ...(i === 0 ? [] : [span(` ${signs.dot} `, 'dim')]),
      ...named(pane, i >= shortFrom),
    ])
  for (let whole = lower.length; whole > 0; whole--) {
    const title = all(whole)
    if (lineWidth(title) <= columns) return title
  }
  return all(0)
}
