import { defined } from '../../../protocol/values.js'
import { type Signs, signsFor } from '../../render/text/signs.js'
import { cutLine, foreign, type Line, line, span } from '../../render/text/spans.js'
import { wrap } from '../../render/text/text.js'
import {
  filterLine,
  framed,
  type ListRoom,
  listRoom,
  screenFrame,
  tableHintLine,
  tableHints,
} from '../screen/frame.js'
import { hintLine } from '../screen/help.js'
import { EDIT_KEYS } from '../screen/key-rows.js'
import { groupedRows, NOTHING_FITS } from '../screen/list.js'
import { beside, boxed, type PaneContent } from '../screen/panes.js'
import { searchLine } from '../screen/search.js'
import { type ScreenTerminal, showScreen } from '../screen/show-screen.js'
import { arrangementOf, type Size } from '../screen/size.js'
import type { Store } from '../screen/store.js'
import type { CourseRow, HandedOver, LearnEnded, LearnOffers } from './content.js'
import { DETAILS, LEARN_KEYS, learnKeys } from './keys.js'
import { explanationPane, header, lessonLayout, shownPane, surroundings } from './panes.js'
import { type LearnState, listedLessons, selectedLesson, showsLower } from './state.js'

const SIGNS = {
  done: ['done', 'done'],
  begun: ['now', 'now'],
  next: ['next', 'now'],
  open: ['dot', 'dim'],
} as const

function rowLine(row: CourseRow, here: boolean, nameColumns: number, signs: Signs): Line {
  const [sign, tone] = SIGNS[row.mark]
  return [
    span(here ? `${signs.arrowRight} ` : '  ', 'now'),
    span(`${signs[sign]} `, tone),
    span(foreign(row.name, signs).padEnd(nameColumns), here ? 'strong' : 'name'),
    span(`  ${String(row.minutes).padStart(2)} min  `, 'dim'),
    span(foreign(row.title, signs), here ? 'strong' : 'plain'),
  ]
}

function listPane(state: LearnState, { inner, rows }: ListRoom, signs: Signs): PaneContent {
  const { rows: list, at } = listedLessons(state)
  const all = state.course.rows.length
  const nameColumns = Math.max(0, ...list.map(({ name }) => name.length))
  const { shown } = groupedRows(
    list.map(({ part }) => part || undefined),
    at,
    rows,
  )
  const { done, now, next } = signs
  const filter = state.filter ? [`filter ${foreign(state.filter, signs)}`] : []
  const place = state.filter ? `${list.length} of ${all}` : `${at + 1}/${all}`
  return {
    title: [span('The course', 'title')],
    aside: [span([`${done} done  ${now} begun  ${next} next`, ...filter, place].join('  '), 'dim')],
    lines:
      list.length === 0
        ? [line(NOTHING_FITS, 'dim')]
        : shown.map(row =>
            typeof row === 'string'
              ? line(foreign(row, signs), 'title')
              : cutLine(rowLine(list[row]!, row === at, nameColumns, signs), inner, signs),
          ),
  }
}

function detailPane(state: LearnState, columns: number, signs: Signs): PaneContent {
  const row = selectedLesson(state)
  if (row === undefined) return { title: [], aside: [], lines: [line('There is no lesson.', 'dim')] }
  const missing =
    row.missing.length === 0 ? [] : [`Builds on ${row.missing.join(' and ')}, which is not done.`]
  const lines = [...missing, ...row.about].flatMap((text, i) =>
    wrap(foreign(text, signs), columns).map(part => line(part, i < missing.length ? 'look' : 'plain')),
  )
  return { title: [span(foreign(row.title, signs), 'title')], aside: [], lines }
}

/** The last line: the work under way, or hints. */
function bottom(state: LearnState, size: Size, signs: Signs): Line {
  const { busy, typing, lesson, filter = '', filtering, finding } = state
  if (filtering) return filterLine(filter, signs)
  if (finding !== undefined)
    return searchLine(finding, tableHints(EDIT_KEYS, undefined, signs), size.columns, signs)
  if (typing !== undefined) {
    const fills = lesson !== undefined && lesson.lines.length > 0
    const keys = ['enter run it', ...(fills ? ['tab the task’s line'] : []), '↑ ↓ earlier', 'esc leave it']
    const shown = signs.ascii ? keys.map(key => key.replace('↑ ↓', 'up down').replace('’', "'")) : keys
    return hintLine(
      shown.map((text, i) => ({ text, keep: 9 - i })),
      size.columns,
      arrangementOf(size) === 'wide' ? 3 : 2,
    )
  }
  return busy
    ? [span(` ${signs.now} ${foreign(busy, signs)}`, 'now')]
    : tableHintLine(LEARN_KEYS, state, size, signs)
}

function lessonFrame(state: LearnState, size: Size, signs: Signs): Line[] {
  const { above, below } = surroundings(state, size, signs)
  const layout = lessonLayout(state, size, signs)
  const { arrangement, columns } = layout
  const { pane, more } = shownPane(state, 'lesson', layout, signs)
  const lower = showsLower(state) ? [shownPane(state, state.lower, layout, signs).pane] : []
  const text = framed(arrangement, pane, layout.text, layout.lesson, signs)
  const explained = explanationPane(state, layout, signs)
  return [
    ...above,
    ...(layout.beside > 0 ? beside(boxed(explained, layout.beside, layout.lesson, signs), text) : text),
    ...lower.flatMap(each => framed(arrangement, each, columns, layout.lower, signs)),
    ...below,
    bottom({ ...state, more }, size, signs),
  ]
}

/** The list of lessons, and the selected one. */
function courseFrame(state: LearnState, size: Size, signs: Signs): Line[] {
  const room = listRoom(size, DETAILS)
  const { arrangement, columns, inner, rows, details } = room
  return [
    header(state, size, signs),
    ...framed(arrangement, listPane(state, room, signs), columns, rows, signs),
    ...framed(arrangement, detailPane(state, inner, signs), columns, details, signs),
    bottom(state, size, signs),
  ]
}

/** The frame: the course, or a lesson. */
export function frameOf(state: LearnState, size: Size, signs: Signs): Line[] {
  return screenFrame(state, size, signs, {
    keys: LEARN_KEYS,
    notes: ['with the keys in pane 2 an event shows all of its members'],
    panes: () => (state.view === 'lesson' ? lessonFrame : courseFrame)(state, size, signs),
  })
}

/** How a course is shown. */
export interface LearnScreenOptions extends ScreenTerminal {
  readonly store: Store<LearnState>
  /** Makes the work behind the keys. */
  readonly offers: (ports: {
    /** Leaves the screen with an error. */
    readonly failed: (error: unknown) => void
    readonly handOver: (command: HandedOver) => void
  }) => LearnOffers
  /** True when the terminal is known to keep a clipboard. */
  readonly clipboard: boolean
  readonly ascii: boolean
}

/** Shows the course in the alternate screen of the terminal until the person leaves it, or a command needs the terminal. */
export async function runLearnScreen(options: LearnScreenOptions): Promise<LearnEnded> {
  const { store, clipboard } = options
  const signs = signsFor(options)
  let handedOver: HandedOver | undefined
  const signal = await showScreen(options, learnKeys, finish => {
    const handOver = (command: HandedOver): void => {
      handedOver = command
      finish({})
    }
    const offers = options.offers({ failed: error => finish({ error }), handOver })
    offers.begin()
    return {
      store,
      ports: { offers, signs, handOver, clipboard },
      frame: (state, size) => frameOf(state, size, signs),
      close: offers.close,
    }
  })
  return defined({ signal, handedOver })
}
