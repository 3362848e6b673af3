import type { Signs } from '../../render/text/signs.js'
import { cutLine, foreign, type Line, lineWidth, span, spread } from '../../render/text/spans.js'
import { width } from '../../render/text/text.js'
import { fitFrame } from '../screen/fit-frame.js'
import { helpLines } from '../screen/help.js'
import { hintLine, tableHints } from '../screen/hints.js'
import { boxed, ruled } from '../screen/panes.js'
import { arrangementOf, type Size } from '../screen/size.js'
import { weakNoticeLines } from '../screen/weak-notice.js'
import { courseFrame, courseText } from './course-frame.js'
import { type DrawnState, LEARN_KEYS } from './keymap.js'
import { type Layout, layOut } from './layout.js'
import { shownPane } from './panes.js'
import { type LearnState, showsLower } from './state.js'
import { hung } from './texts.js'

/** Most lines of the verdict; the whole sentence is one of `e`. */
const VERDICT_ROWS = 4

function header(state: LearnState, size: Size, signs: Signs): Line {
  const { page, view, course } = state
  const small = arrangementOf(size) === 'small'
  const program = span(small ? ' learn' : ' oauth-lab  learn', 'title')
  const inLesson = view === 'lesson' && page !== undefined
  const left = inLesson ? [program, span(`  Lesson ${foreign(page.title, signs)}`, 'strong')] : [program]
  const right = inLesson ? foreign(page.place, signs) : courseText(course)
  return spread(left, [span(`  ${right} `, 'dim')], size.columns, signs)
}

/** The verdict on the task, always in sight while it is done. */
function verdictLines({ verdict, page }: LearnState, columns: number, signs: Signs): Line[] {
  if (page === undefined || verdict === undefined) return []
  if (page.phase !== 'task' && page.phase !== 'passed') return []
  const { done, tried, text } = verdict
  const [sign, tone] = done
    ? ([signs.done, 'done'] as const)
    : tried
      ? ([signs.look, 'look'] as const)
      : ([signs.next, 'dim'] as const)
  const words = done ? text : `Not yet: ${text}`
  return hung([span(` ${sign} `, tone)], foreign(words, signs), columns - 1, done ? 'done' : 'plain').slice(
    0,
    VERDICT_ROWS,
  )
}

/** The command line: as it is typed, or how to begin. */
function promptLines(state: LearnState, columns: number, signs: Signs): Line[] {
  const { typing, page } = state
  const prompt = span(' learn> ', 'now')
  if (typing === undefined) {
    if (page?.phase !== 'task') return []
    return [
      cutLine([prompt, span('press Enter, then type the line here; Tab fills it in', 'dim')], columns, signs),
    ]
  }
  // The end of a long line is where somebody types.
  let text = foreign(typing.text, signs)
  const room = columns - lineWidth([prompt]) - width(signs.caret) - 1
  if (width(text) > room) {
    const characters = [...text]
    while (width(characters.join('')) > room - width(signs.ellipsis)) characters.shift()
    text = `${signs.ellipsis}${characters.join('')}`
  }
  return [[prompt, span(text), span(signs.caret, 'now')]]
}

/** The last line: what the last key came to, the work under way, or hints. */
function bottom(state: DrawnState, size: Size, signs: Signs): Line {
  const { notice, busy, typing, page } = state
  if (notice !== undefined) return cutLine([span(` ${foreign(notice, signs)}`, 'now')], size.columns, signs)
  const gap = arrangementOf(size) === 'wide' ? 3 : 2
  if (typing !== undefined) {
    const fills = page !== undefined && page.lines.length > 0
    const keys = ['enter run it', ...(fills ? ['tab the task’s line'] : []), '↑ ↓ earlier', 'esc leave it']
    const shown = signs.ascii ? keys.map(key => key.replace('↑ ↓', 'up down').replace('’', "'")) : keys
    return hintLine(
      shown.map((text, i) => ({ text, keep: 9 - i })),
      size.columns,
      gap,
    )
  }
  const hints = hintLine(tableHints(LEARN_KEYS, state, signs), size.columns, gap)
  return busy === undefined
    ? hints
    : cutLine([span(` ${signs.now} ${foreign(busy, signs)}`, 'now')], size.columns, signs)
}

/** The lines of a lesson that are not in a pane, but for the last one. */
interface Surroundings {
  readonly above: readonly Line[]
  readonly below: readonly Line[]
}

function surroundings(state: LearnState, size: Size, signs: Signs): Surroundings {
  const { columns } = size
  return {
    above: [header(state, size, signs), ...weakNoticeLines(state.lab?.weak ?? [], columns)],
    below: [...verdictLines(state, columns, signs), ...promptLines(state, columns, signs)],
  }
}

/** The positions of a lesson's panes on a terminal. */
export function lessonLayout(state: LearnState, size: Size, signs: Signs): Layout {
  const { above, below } = surroundings(state, size, signs)
  return layOut(state, size, above.length + below.length + 1)
}

function lessonFrame(state: LearnState, size: Size, signs: Signs): Line[] {
  const { above, below } = surroundings(state, size, signs)
  const layout = layOut(state, size, above.length + below.length + 1)
  const { columns } = size
  const frame = layout.arrangement === 'wide' ? boxed : ruled
  const { pane: lesson, more } = shownPane(state, 'lesson', layout, signs)
  const lower = showsLower(state) ? [shownPane(state, state.lower, layout, signs).pane] : []
  return [
    ...above,
    ...frame(lesson, columns, layout.lesson, signs),
    ...lower.flatMap(pane => frame(pane, columns, layout.lower, signs)),
    ...below,
    bottom({ ...state, more }, size, signs),
  ]
}

/** The frame: the course, or a lesson. */
export function frameOf(state: LearnState, size: Size, signs: Signs): Line[] {
  const lines = (): readonly Line[] => {
    if (state.help) {
      const note = 'with the keys in pane 2 an event shows all of its members'
      return helpLines(LEARN_KEYS, [note], size, signs)
    }
    if (state.view === 'lesson') return lessonFrame(state, size, signs)
    return [header(state, size, signs), ...courseFrame(state, size, signs), bottom(state, size, signs)]
  }
  return fitFrame(lines, size, signs)
}
