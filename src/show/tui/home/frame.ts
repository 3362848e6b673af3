import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { cutLine, fillLine, foreign, line, span, spread } from '../../render/text/spans.js'
import { width, wrap } from '../../render/text/text.js'
import { fitFrame } from '../screen/fit-frame.js'
import { helpLines } from '../screen/help.js'
import { hintLine, tableHints } from '../screen/hints.js'
import type { PaneContent } from '../screen/panes.js'
import { boxed, ruled } from '../screen/panes.js'
import type { Size } from '../screen/size.js'
import { windowStart } from '../screen/window.js'
import type { HomeEntry } from './entry.js'
import { HOME_KEYS } from './keymap.js'
import type { Layout } from './layout.js'
import { layOut } from './layout.js'
import type { HomeState } from './state.js'
import { listed, selectedEntry, selectedIndex } from './state.js'

/** Columns of the pointer before a name. */
const POINTER = 2
/** Columns between a name and what it is about. */
const GAP = 2

interface Row {
  readonly line: Line
  /** Index of the entry in the list; absent for a heading. */
  readonly entry?: number
}

/** The longest name that has its place; a longer one is cut. */
const LONGEST = 30

/** Columns of the list before what an entry is about. */
function beforeAbout({ entries }: HomeState, signs: Signs): number {
  const names = entries.map(({ name }) => width(foreign(name, signs)))
  return POINTER + Math.min(LONGEST, Math.max(0, ...names)) + GAP
}

/** The list with its headings. */
function rowsOf(state: HomeState, columns: number, signs: Signs): Row[] {
  const list = listed(state)
  const at = selectedIndex(state)
  const before = beforeAbout(state, signs)
  return list.flatMap((entry, i): Row[] => {
    const here = i === at
    const name: Line = [
      span(here ? `${signs.arrowRight} ` : '  ', 'now'),
      span(foreign(entry.name, signs), here ? 'strong' : 'name'),
    ]
    const heading =
      list[i - 1]?.group === entry.group ? [] : [{ line: line(foreign(entry.group, signs), 'title') }]
    const about = span(foreign(entry.about, signs), here ? 'strong' : 'plain')
    const drawn = [...fillLine(name, before, signs), about]
    return [...heading, { line: cutLine(drawn, columns, signs), entry: i }]
  })
}

function listPane(state: HomeState, { list }: Layout, signs: Signs): PaneContent {
  const all = rowsOf(state, list.columns, signs)
  const at = all.findIndex(({ entry }) => entry === selectedIndex(state))
  // The heading above the first entry of a group is seen with it.
  const from = all[at - 1]?.entry === undefined ? at - 1 : at
  const start = windowStart(all.length, list.rows, Math.max(0, from), at)
  const shown = all.slice(start, start + list.rows)
  const seen = shown.flatMap(({ entry }) => entry ?? [])
  const count = listed(state).length
  const aside = [
    ...(state.filter === '' ? [] : [`filter ${foreign(state.filter, signs)}`]),
    ...(seen.length < count ? [`${seen[0]! + 1}-${seen.at(-1)! + 1} of ${count}`] : []),
  ]
  return {
    title: [span('What to see', 'title')],
    aside: [span(aside.join('  '), 'dim')],
    lines:
      shown.length > 0
        ? shown.map(each => each.line)
        : [line('Nothing has these words. esc clears the filter.', 'dim')],
  }
}

/** The command line, what it is about where the list had to cut it, and others of its kind. */
function detailLines(entry: HomeEntry, room: number, columns: number, signs: Signs): Line[] {
  const about = foreign(entry.about, signs)
  const [typed = '', ...rest] = wrap(foreign(entry.line, signs), columns - 2)
  return [
    [span('$ ', 'dim'), span(typed, 'strong')],
    ...rest.map(part => line(`  ${part}`, 'strong')),
    ...(width(about) > room ? wrap(about, columns).map(part => line(part, 'dim')) : []),
    ...entry.more.map((other, i): Line => {
      return [span(i === 0 ? 'also  ' : '      ', 'dim'), span(foreign(other, signs))]
    }),
  ]
}

function detailPane(state: HomeState, { detail }: Layout, signs: Signs): PaneContent {
  const entry = selectedEntry(state)
  return {
    title: [span('The same, typed')],
    aside: [],
    lines:
      entry === undefined
        ? []
        : detailLines(entry, detail.columns - beforeAbout(state, signs), detail.columns, signs),
  }
}

/** The last line: the filter that is typed, what the last key came to, or hints. */
function bottom(state: HomeState, { arrangement, columns }: Layout, signs: Signs): Line {
  if (state.typing) {
    const typed = [span(' /', 'name'), span(foreign(state.filter, signs)), span(signs.caret, 'now')]
    return spread(typed, [span('enter keep   esc cancel ', 'dim')], columns, signs)
  }
  if (state.notice !== undefined) return [span(` ${foreign(state.notice, signs)}`, 'now')]
  return hintLine(tableHints(HOME_KEYS, state, signs), columns, arrangement === 'wide' ? 3 : 2)
}

/** The frame: what the terminal shows of the menu. */
export function frameOf(state: HomeState, size: Size, signs: Signs): Line[] {
  const { columns } = size
  const lines = (): readonly Line[] => {
    if (state.help) {
      return helpLines(
        HOME_KEYS,
        ['the same table makes the hint line, this page and docs/keys.md'],
        size,
        signs,
      )
    }
    const layout = layOut(size)
    const { arrangement, list, detail } = layout
    const left = [span(' oauth-lab', 'title'), span('   everything runs on this machine', 'dim')]
    const place = `${listed(state).length === 0 ? 0 : selectedIndex(state) + 1} of ${listed(state).length} `
    const pane = arrangement === 'wide' ? boxed : ruled
    return [
      spread(left, [span(place)], columns, signs),
      ...pane(listPane(state, layout, signs), columns, list.rows, signs),
      ...pane(detailPane(state, layout, signs), columns, detail.rows, signs),
      bottom(state, layout, signs),
    ]
  }
  return fitFrame(lines, size, signs)
}
