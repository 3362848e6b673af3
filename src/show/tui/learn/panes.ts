import type { Signs } from '../../render/text/signs.js'
import { cutLine, foreign, type Line, line, lineWidth, span, spread } from '../../render/text/spans.js'
import { cutEnd, width, wrap } from '../../render/text/text.js'
import { weakNoticeLines } from '../screen/frame.js'
import { clamp, positionText, windowStart } from '../screen/list.js'
import { type PaneContent, paneTitle } from '../screen/panes.js'
import { hitText, marked } from '../screen/search.js'
import { type Arrangement, arrangementOf, frameHeight, type Size } from '../screen/size.js'
import type { CommandOutput, Course, LessonPage, SeenEvent } from './content.js'
import { heldBy, isOutput, type LearnState, openPanes, PANES, type Pane, showsLower } from './state.js'
import { hung, pageLines } from './texts.js'

/** The positions of a lesson's parts. Rows and columns are those of contents. */
export interface Layout {
  readonly arrangement: Arrangement
  readonly columns: number
  /** Columns inside a pane across the screen. */
  readonly inner: number
  /** Columns of the frame of the lesson. */
  readonly text: number
  /** Columns of the frame of its explanation beside it; 0: it is above the task. */
  readonly beside: number
  readonly lesson: number
  /** Rows of the pane below; 0: it is not shown. */
  readonly lower: number
}

/** Lines of the frame of a pane: a box, or a rule above it. */
const FRAME = { wide: 2, normal: 1, small: 1, tooSmall: 1 } as const

/** Columns of a box beside its contents. */
const FRAME_COLUMNS = 4

/** Columns from which on the explanation stands beside the task, and columns that it takes there. */
const ROOMY = 120
const BESIDE = 44

/** Part of the rows that the pane with the keys takes. */
const LARGER = 0.66

/**
 * Lays a lesson out. The pane that the keys go to takes the larger part.
 * @param taken lines beside the panes: header, notices, verdict, command line and hints
 */
function layOut(state: LearnState, size: Size, taken: number): Layout {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const inner = columns - (arrangement === 'wide' ? FRAME_COLUMNS : 2)
  const frame = FRAME[arrangement]
  const free = frameHeight(size) - taken
  const roomy = arrangement === 'wide' && columns >= ROOMY && (state.lesson?.anchor ?? 0) > 0
  const beside = roomy && showsLower(state) ? BESIDE : 0
  const known = { arrangement, columns, inner, text: columns - beside, beside }
  if (!showsLower(state)) return { ...known, lesson: Math.max(1, free - frame), lower: 0 }
  const rows = Math.max(2, free - 2 * frame)
  const larger = clamp(Math.round(rows * LARGER), 1, rows - 1)
  const lesson = state.pane === 'lesson' ? larger : rows - larger
  return { ...known, lesson, lower: rows - lesson }
}

/** Most lines of the verdict; the whole sentence is one of `e`. */
const VERDICT_ROWS = 4

/** How far the course went. */
function courseText({ rows, due }: Course): string {
  const done = rows.filter(({ mark }) => mark === 'done').length
  const reviews = due.length === 0 ? '' : `, ${due.length} to review`
  return `${done} of ${rows.length} done${reviews}`
}

/** The first line: where the learner is. */
export function header(state: LearnState, size: Size, signs: Signs): Line {
  const { lesson, view, course } = state
  const small = arrangementOf(size) === 'small'
  const program = span(small ? ' learn' : ' oauth-lab  learn', 'title')
  const inLesson = view === 'lesson' && lesson !== undefined
  const left = inLesson ? [program, span(`  Lesson ${foreign(lesson.title, signs)}`, 'strong')] : [program]
  const right = inLesson ? foreign(lesson.place, signs) : courseText(course)
  return spread(left, [span(`  ${right} `, 'dim')], size.columns, signs)
}

/** The room of a teacher, where the learner is in one: who and where, and what there is to know now. */
function roomLines({ room }: LearnState, columns: number, signs: Signs): Line[] {
  if (room === undefined) return []
  const { name, online, waiting, lesson, said, ended, gone } = room
  const waits = waiting === 0 ? '' : `, ${waiting} ${waiting === 1 ? 'fact waits' : 'facts wait'}`
  const [text, tone] = gone
    ? (['the teacher does not know you any more', 'look'] as const)
    : ended
      ? (['the workshop has ended', 'dim'] as const)
      : !online
        ? ([`offline${waits}`, 'look'] as const)
        : lesson !== undefined
          ? ([`the room is at ${lesson}: m`, 'now'] as const)
          : said !== undefined
            ? ([`teacher: ${said}`, 'plain'] as const)
            : (['', 'dim'] as const)
  const left = [span(` ${foreign(room.room, signs)}  `, 'dim'), span(foreign(name, signs), 'name')]
  const space = Math.max(0, columns - lineWidth(left) - 4)
  return [spread(left, cutLine([span(`  ${foreign(text, signs)} `, tone)], space, signs), columns, signs)]
}

/** The verdict on the task, always in sight while it is done. */
function verdictLines(state: LearnState, columns: number, signs: Signs): Line[] {
  const { verdict, lesson } = state
  if (verdict === undefined || (lesson?.phase !== 'task' && lesson?.phase !== 'passed')) return []
  const { done, tried, text } = verdict
  const [sign, tone] = done
    ? ([signs.done, 'done'] as const)
    : tried
      ? ([signs.look, 'look'] as const)
      : ([signs.next, 'dim'] as const)
  const words = done ? (heldBy(state) === undefined ? text : `Done. ${heldBy(state)}`) : `Not yet: ${text}`
  return hung([span(` ${sign} `, tone)], foreign(words, signs), columns - 1, done ? 'done' : 'plain').slice(
    0,
    VERDICT_ROWS,
  )
}

/** The command line: as it is typed, or how to begin. */
function promptLines(state: LearnState, columns: number, signs: Signs): Line[] {
  const { typing, lesson } = state
  const prompt = span(' learn> ', 'now')
  if (typing === undefined) {
    if (lesson?.phase !== 'task') return []
    return [
      cutLine([prompt, span('press Enter, then type a line here; Tab fills one in', 'dim')], columns, signs),
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

/** The lines of a lesson that are not in a pane, but for the last one. */
export function surroundings(
  state: LearnState,
  size: Size,
  signs: Signs,
): { readonly above: readonly Line[]; readonly below: readonly Line[] } {
  const { columns } = size
  return {
    above: [
      header(state, size, signs),
      ...roomLines(state, columns, signs),
      ...weakNoticeLines(state.lab?.weak ?? [], columns),
    ],
    below: [...verdictLines(state, columns, signs), ...promptLines(state, columns, signs)],
  }
}

/** The positions of a lesson's panes on a terminal. */
export function lessonLayout(state: LearnState, size: Size, signs: Signs): Layout {
  const { above, below } = surroundings(state, size, signs)
  return layOut(state, size, above.length + below.length + 1)
}

/** Columns before the further lines of a printed line. */
const INDENT = 4

/** Columns that the frame of a pane takes beside its title and the words at its right end. */
const TITLE_FRAME = 9

/** The lines of a pane, and the first one that it shows while nobody scrolls it. */
interface Content {
  readonly lines: readonly Line[]
  readonly first: number
}

/** A lesson without the explanation before its task. */
const withoutExplanation = (page: LessonPage): LessonPage => ({
  ...page,
  sections: page.sections.slice(page.anchor),
  anchor: 0,
  newest: page.newest - page.anchor,
})

/** The explanation of a lesson, in the pane beside its task. */
export function explanationPane({ lesson }: LearnState, { beside }: Layout, signs: Signs): PaneContent {
  const sections = lesson?.sections.slice(0, lesson.anchor) ?? []
  const page = lesson && { ...lesson, sections, options: [] }
  const lines = page ? pageLines(page, undefined, beside - FRAME_COLUMNS, signs).lines : []
  return { title: [span('The explanation')], aside: [], lines }
}

/** The text of the lesson: from its present section on, and so that the newest one is seen. */
function lessonContent(
  { lesson: whole, option }: LearnState,
  columns: number,
  rows: number,
  signs: Signs,
  split: boolean,
): Content {
  const lesson = whole && split ? withoutExplanation(whole) : whole
  if (lesson === undefined) return { lines: [line('Opens the lesson.', 'dim')], first: 0 }
  const { lines, anchor, newest, starts, option: at } = pageLines(lesson, option, columns, signs)
  if (at !== undefined) return { lines, first: windowStart(lines.length, rows, ...at) }
  const [from, to] = newest
  const least = clamp(to - rows, Math.min(anchor, lines.length - rows), Math.max(anchor, from))
  // No section begins in its middle.
  return { lines, first: starts.find(start => start >= least) ?? from }
}

/** An event: one line, and all of its members where there is room. */
function eventLines(event: SeenEvent, columns: number, whole: boolean, signs: Signs): Line[] {
  const { time, type, says, details, refused, behind } = event
  const sign = refused ? signs.refused : behind ? signs.done : ' '
  const tone = refused ? 'refused' : behind ? 'done' : 'plain'
  const head = [span(`${sign} `, tone), span(`${time} `, 'dim'), span(`${foreign(type, signs)}  `, 'name')]
  if (!whole) {
    const told = [says, details].filter(text => text !== '').join('  ')
    return [cutLine([...head, span(foreign(told, signs))], columns, signs)]
  }
  return [
    cutLine(head, columns, signs),
    ...(says === '' ? [] : hung([span('    ')], foreign(says, signs), columns)),
    ...(details === '' ? [] : hung([span('    ')], foreign(details, signs), columns, 'dim')),
  ]
}

function serversContent(state: LearnState, columns: number, rows: number, signs: Signs): Content {
  const { events, pane, lesson } = state
  const lines = events.flatMap(event => eventLines(event, columns, pane === 'servers', signs))
  if (lines.length === 0) {
    const nothing = `Nothing yet. Requests of ${lesson?.who ?? 'your client'} appear here, whether you type a line below, use curl, a browser or a program of your own.`
    return { lines: wrap(foreign(nothing, signs), columns).map(part => line(part, 'dim')), first: 0 }
  }
  return { lines, first: lines.length - rows }
}

/** A printed line in the columns that there are: gaps between columns shrink before the line is broken. */
function printedLines(text: string, columns: number, signs: Signs): Line[] {
  const safe = foreign(text, signs)
  if (width(safe) <= columns) return [line(safe)]
  const [first = '', ...more] = wrap(safe.replace(/(\S) {3,}/g, '$1  '), columns - INDENT)
  return [line(first), ...more.map(part => line(' '.repeat(INDENT) + part))]
}

/** The end of a command as a line. */
function endingLine({ running, code }: CommandOutput, signs: Signs): Line[] {
  if (running) return [line('runs; x stops it', 'dim')]
  if (code === undefined) return []
  return [line(`exit code ${code}`, code === 0 ? 'dim' : 'look')].map(each => cutLine(each, 60, signs))
}

function outputContent(
  output: CommandOutput | undefined,
  columns: number,
  rows: number,
  signs: Signs,
): Content {
  if (output === undefined) {
    return { lines: [line('No line was typed yet.', 'dim')], first: 0 }
  }
  const lines = [
    ...hung([span('$ ', 'dim')], foreign(output.line, signs), columns, 'strong'),
    ...(output.cut ? [line(`${signs.ellipsis} the beginning is left out`, 'dim')] : []),
    ...output.lines.flatMap(text => printedLines(text, columns, signs)),
    ...endingLine(output, signs),
  ]
  // A report is read from its beginning. A command that runs is followed, and so is a shell, as in a terminal.
  return { lines, first: output.running || output.shell ? lines.length - rows : 0 }
}

/** The text of a pane. */
function contentOf(
  of: Pane,
  state: LearnState,
  columns: number,
  rows: number,
  signs: Signs,
  split: boolean,
): Content {
  if (of === 'lesson') return lessonContent(state, columns, rows, signs, split)
  if (of === 'servers') return serversContent(state, columns, rows, signs)
  return outputContent(state.outputs[of], columns, rows, signs)
}

/** Columns of the name of a pane beside other ones. */
const TAB = 12

/** The name of a pane below: where several commands have one, the beginning of its line. */
function tabName(of: Pane, { outputs }: LearnState, several: boolean, signs: Signs): string {
  if (of === 'servers') return several ? 'Servers' : 'What the servers saw'
  const output = isOutput(of) ? outputs[of] : undefined
  if (!several || output === undefined) return 'Output'
  const name = foreign(output.line.replace(/^oauth-lab /, ''), signs)
  return `${output.running ? `${signs.now} ` : ''}${cutEnd(name, TAB, signs.ellipsis)}`
}

/** The title of the pane below: the one that is shown, and the other ones. */
function lowerTitle(state: LearnState, columns: number, signs: Signs): Line {
  const { pane, lower } = state
  const tabs = openPanes(state).slice(1)
  const several = tabs.length > 2
  const named = !several || columns >= 80
  return tabs.flatMap((of, i): Line => {
    const number = PANES.indexOf(of) + 1
    const title = named || of === lower ? `${number} ${tabName(of, state, several, signs)}` : String(number)
    const tab = pane === of ? paneTitle(title, true) : [span(title, lower === of ? 'plain' : 'dim')]
    return i === 0 ? tab : [span(` ${signs.dot} `, 'dim'), ...tab]
  })
}

/** A pane of a lesson as it is shown in a layout. */
export function shownPane(state: LearnState, of: Pane, layout: Layout, signs: Signs) {
  const isLesson = of === 'lesson'
  const split = layout.beside > 0
  const rows = isLesson ? layout.lesson : layout.lower
  const columns = isLesson ? layout.text : layout.columns
  const inner = layout.inner - (layout.columns - columns)
  const { lines, first: following } = contentOf(of, state, inner, rows, signs, split)
  const limit = Math.max(0, lines.length - rows, lines.length > rows ? following : 0)
  const first = clamp(state.scroll[of] ?? following, 0, limit)
  const alone = !showsLower(state)
  const title =
    of === 'lesson'
      ? paneTitle('1 Lesson', !alone && state.pane === 'lesson')
      : lowerTitle(state, columns, signs)
  const position = positionText(first, rows, lines.length)
  const spoken = position.replace(/^(.+)\/(\d+)$/, 'lines $1 of $2')
  const who = of === 'lesson' ? (state.lesson?.who ?? '') : ''
  const { search } = state
  const hit = search?.pane === of ? hitText(search, lines) : ''
  const both = [foreign(who, signs), hit, spoken].filter(text => text !== '').join('  ')
  // Lines below that nobody knows of are worse than a name left out.
  const room = columns - TITLE_FRAME - lineWidth(title)
  const aside =
    [both, [hit, position].join('  ').trim(), spoken].find(text => width(text) <= room) ?? position
  const shown = lines.slice(first, first + rows)
  const drawn = search?.pane === of ? shown.map(each => marked(each, search.text)) : shown
  return {
    pane: { title, aside: [span(aside, 'dim')], lines: drawn },
    lines,
    first,
    /** The last line that may come first. */
    limit,
    /** True when lines follow below. */
    more: first + rows < lines.length,
  }
}
