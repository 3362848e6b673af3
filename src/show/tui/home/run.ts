import { defined } from '../../../protocol/values.js'
import type { MenuEntry } from '../../render/spoken/spoken-item.js'
import { type Signs, signsFor } from '../../render/text/signs.js'
import { cutLine, fillLine, foreign, type Line, line, span, spread } from '../../render/text/spans.js'
import { width, wrap } from '../../render/text/text.js'
import { framed, type ListRoom, listRoom, screenFrame, tableHintLine } from '../screen/frame.js'
import { groupedRows, NOTHING_FITS } from '../screen/list.js'
import type { PaneContent } from '../screen/panes.js'
import { type ScreenTerminal, showScreen } from '../screen/show-screen.js'
import type { Size } from '../screen/size.js'
import { createStore } from '../screen/store.js'
import type { EndingSignal } from '../screen/terminal.js'
import { DETAILS, HOME_KEYS, homeKeys } from './keys.js'
import { type HomeState, listed, selectedEntry, selectedIndex } from './state.js'

/** Columns of the pointer before a name. */
const POINTER = 2
/** Columns between a name and what it is about. */
const GAP = 2

/** The longest name that has its place; a longer one is cut. */
const LONGEST = 30

/** Columns of the list before what an entry is about. */
function beforeAbout({ entries }: HomeState, signs: Signs): number {
  const names = entries.map(({ name }) => width(foreign(name, signs)))
  return POINTER + Math.min(LONGEST, Math.max(0, ...names)) + GAP
}

/** The list with its headings. */
function listPane(state: HomeState, { inner, rows }: ListRoom, signs: Signs): PaneContent {
  const list = listed(state)
  const at = selectedIndex(state)
  const before = beforeAbout(state, signs)
  const { shown } = groupedRows(
    list.map(({ group }) => group),
    at,
    rows,
  )
  const rowLine = (i: number): Line => {
    const { name, about } = list[i]!
    const here = i === at
    const named: Line = [
      span(here ? `${signs.arrowRight} ` : '  ', 'now'),
      span(foreign(name, signs), here ? 'strong' : 'name'),
    ]
    const told = span(foreign(about, signs), here ? 'strong' : 'plain')
    return cutLine([...fillLine(named, before, signs), told], inner, signs)
  }
  const seen = shown.filter(row => typeof row === 'number')
  const aside = [
    ...(state.filter === '' ? [] : [`filter ${foreign(state.filter, signs)}`]),
    ...(seen.length < list.length ? [`${seen[0]! + 1}-${seen.at(-1)! + 1} of ${list.length}`] : []),
  ]
  return {
    title: [span('What to see', 'title')],
    aside: [span(aside.join('  '), 'dim')],
    lines:
      shown.length > 0
        ? shown.map(row => (typeof row === 'number' ? rowLine(row) : line(foreign(row, signs), 'title')))
        : [line(NOTHING_FITS, 'dim')],
  }
}

/** The command line, what it is about where the list had to cut it, and others of its kind. */
function detailLines(entry: MenuEntry, room: number, columns: number, signs: Signs): Line[] {
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

function detailPane(state: HomeState, { inner }: ListRoom, signs: Signs): PaneContent {
  const entry = selectedEntry(state)
  return {
    title: [span('The same, typed')],
    aside: [],
    lines: entry === undefined ? [] : detailLines(entry, inner - beforeAbout(state, signs), inner, signs),
  }
}

/** The last line: the filter that is typed, or hints. */
function bottom(state: HomeState, room: ListRoom, signs: Signs): Line {
  if (state.typing) {
    const typed = [span(' /', 'name'), span(foreign(state.filter, signs)), span(signs.caret, 'now')]
    return spread(typed, [span('enter keep   esc cancel ', 'dim')], room.columns, signs)
  }
  return tableHintLine(HOME_KEYS, state, room, signs)
}

/** The frame: what the terminal shows of the menu. */
export function frameOf(state: HomeState, size: Size, signs: Signs): Line[] {
  return screenFrame(state, size, signs, {
    keys: HOME_KEYS,
    notes: ['the same table makes the hint line, this page and docs/reference/keys.md'],
    panes() {
      const room = listRoom(size, DETAILS)
      const { arrangement, columns, rows, details } = room
      const count = listed(state).length
      const left = [span(' oauth-lab', 'title'), span('   everything runs on this machine', 'dim')]
      const place = `${count === 0 ? 0 : selectedIndex(state) + 1} of ${count} `
      return [
        spread(left, [span(place)], columns, signs),
        ...framed(arrangement, listPane(state, room, signs), columns, rows, signs),
        ...framed(arrangement, detailPane(state, room, signs), columns, details, signs),
        bottom(state, room, signs),
      ]
    },
  })
}

/** How the menu is shown. */
export interface HomeOptions extends ScreenTerminal {
  /** As it was left, or `initialState`. */
  readonly state: HomeState
  /** True when the terminal is known to keep a clipboard. */
  readonly clipboard: boolean
  readonly ascii: boolean
}

/** How the menu was left. */
export interface HomeEnded {
  readonly state: HomeState
  /** The entry to run; absent when the person quit the menu. */
  readonly chosen?: MenuEntry
  readonly signal?: EndingSignal
}

/** Shows the menu in the alternate screen of the terminal until a command is chosen, or the person leaves it. */
export async function runHome(options: HomeOptions): Promise<HomeEnded> {
  const { state, clipboard } = options
  const signs = signsFor(options)
  const store = createStore(state)
  let chosen: MenuEntry | undefined
  const signal = await showScreen(options, homeKeys, finish => ({
    store,
    ports: {
      clipboard,
      choose(entry: MenuEntry) {
        chosen = entry
        finish({})
      },
    },
    frame: (shown, size) => frameOf(shown, size, signs),
  }))
  return { state: store.get(), ...defined({ signal, chosen }) }
}
