import type { Signs } from '../../render/text/signs.js'
import { cutLine, foreign, type Line, line, span } from '../../render/text/spans.js'
import { wrap } from '../../render/text/text.js'
import { boxed, type PaneContent, ruled } from '../screen/panes.js'
import { arrangementOf, frameHeight, type Size } from '../screen/size.js'
import { windowStart } from '../screen/window.js'
import type { Course, CourseRow } from './content.js'
import { type LearnState, selectedIndex } from './state.js'

/** Lines that are not of the list: header, two frames, hints. */
const FRAMING = { wide: 6, normal: 4, small: 4, tooSmall: 4 } as const

/** Lines below the list, about the selected lesson. */
const DETAILS = { wide: 6, normal: 5, small: 5, tooSmall: 1 } as const

/** Lines of the list of the course. */
export function courseRows(size: Size): number {
  const arrangement = arrangementOf(size)
  return Math.max(1, frameHeight(size) - FRAMING[arrangement] - DETAILS[arrangement])
}

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

function listPane(state: LearnState, columns: number, rows: number, signs: Signs): PaneContent {
  const list = state.course.rows
  const at = selectedIndex(state)
  const nameColumns = Math.max(0, ...list.map(({ name }) => name.length))
  const all = list.flatMap((row, i): { line: Line; row?: number }[] => [
    ...(row.part === '' || list[i - 1]?.part === row.part
      ? []
      : [{ line: line(foreign(row.part, signs), 'title') }]),
    { line: cutLine(rowLine(row, i === at, nameColumns, signs), columns, signs), row: i },
  ])
  const index = all.findIndex(({ row }) => row === at)
  const from = all[index - 1]?.row === undefined ? index - 1 : index
  const start = windowStart(all.length, rows, Math.max(0, from), index)
  const { done, now, next } = signs
  return {
    title: [span('The course', 'title')],
    aside: [span(`${done} done  ${now} begun  ${next} next  ${at + 1}/${list.length}`, 'dim')],
    lines: all.slice(start, start + rows).map(each => each.line),
  }
}

function detailPane(state: LearnState, columns: number, signs: Signs): PaneContent {
  const row = state.course.rows[selectedIndex(state)]
  if (row === undefined) return { title: [], aside: [], lines: [line('There is no lesson.', 'dim')] }
  const missing =
    row.missing.length === 0 ? [] : [`Builds on ${row.missing.join(' and ')}, which is not done.`]
  const lines = [...missing, ...row.about].flatMap((text, i) =>
    wrap(foreign(text, signs), columns).map(part => line(part, i < missing.length ? 'look' : 'plain')),
  )
  return { title: [span(foreign(row.title, signs), 'title')], aside: [], lines }
}

/** How far the course went. */
export function courseText({ rows, due }: Course): string {
  const done = rows.filter(({ mark }) => mark === 'done').length
  const reviews = due.length === 0 ? '' : `, ${due.length} to review`
  return `${done} of ${rows.length} done${reviews}`
}

/** The list of lessons, and the selected one. */
export function courseFrame(state: LearnState, size: Size, signs: Signs): Line[] {
  const { columns } = size
  const arrangement = arrangementOf(size)
  const pane = arrangement === 'wide' ? boxed : ruled
  const inner = columns - (arrangement === 'wide' ? 4 : 2)
  const rows = courseRows(size)
  return [
    ...pane(listPane(state, inner, rows, signs), columns, rows, signs),
    ...pane(detailPane(state, inner, signs), columns, DETAILS[arrangement], signs),
  ]
}
